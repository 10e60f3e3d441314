#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/memory.h"
#include "support/open_file.h"

namespace scfe {
namespace {

constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::size_t taken_for_pipe = std::size_t{1} << 27;  // a pipe has no size: as a file of 128 MB

[[noreturn]] void unreadable(const std::string& path) {
  throw Error(path, "a readable file", std::strerror(errno));
}

const char* kind_of(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "a folder";
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) return "a device";
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) ? nullptr : "something else";
}

std::size_t checked_size(const struct stat& status, const std::string& path) {
  if (const char* kind = kind_of(status)) throw Error(path, "a file or a pipe", kind);
  return S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : taken_for_pipe;
}

}  // namespace

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

void OpenFile::seek(std::size_t offset) const {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) unreadable(path_);
}

std::size_t OpenFile::read(char* to, std::size_t most) const {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) unreadable(path_);
  }
}

OpenFile open_file(const std::string& path) {
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) unreadable(path);
  file.size = checked_size(status, path);
  return file;
}

std::size_t size_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) unreadable(path);
  return checked_size(status, path);
}

std::string read_file(const std::string& path) {
  const OpenFile file = open_file(path);
  const std::size_t most = memory_limit(file.size);
  std::string bytes;
  std::vector<char> piece(piece_bytes);
  while (const std::size_t got = file.read(piece.data(), piece.size())) {
    if (got > most - bytes.size())
      throw Error(path, "at most " + std::to_string(most >> 20) + " MB (--memory-limit)", "more");
    bytes.append(piece.data(), got);
  }
  return bytes;
}

}  // namespace scfe
