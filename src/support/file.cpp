#include "scfe/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "scfe/error.h"

namespace scfe {

void AsideFile::Close::operator()(std::FILE* file) const { (void)std::fclose(file); }

void AsideFile::fail(const char* expected) const { throw Error(path_, expected, std::strerror(errno)); }

AsideFile::AsideFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  file_.reset(std::fopen(part_.c_str(), "wb"));
  if (!file_) fail("a file that can be written");
}

AsideFile::~AsideFile() {
  if (!file_) return;
  file_.reset();
  (void)std::remove(part_.c_str());
}

void AsideFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail("room to write");
}

void AsideFile::commit() {
  if (std::fflush(file_.get()) != 0) fail("room to write");
  // A device or pipe cannot be synchronised; what counts is that data reaches the disk before its name.
  if (fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != EROFS) fail("room to write");
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail("a file that can be replaced");
  file_.reset();
}

std::string read_file(const std::string& path) {
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw Error(path, "a readable file", std::strerror(errno));
  std::string bytes;
  std::vector<char> piece(1 << 16);
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get()))
    bytes.append(piece.data(), got);
  if (std::ferror(file.get()) != 0) throw Error(path, "a readable file", std::strerror(errno));
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  AsideFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace scfe
