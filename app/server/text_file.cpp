#include "server/text_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scfe/error.h"

namespace scfe::server {

TextFile::TextFile(std::string name, std::string_view text) : name_(std::move(name)) {
  file_ = ::memfd_create("scfe", MFD_CLOEXEC);
  while (file_ >= 0 && !text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file_ < 0 || !text.empty()) {
    if (file_ >= 0) (void)::close(file_);
    throw Error(name_, "memory for it", std::strerror(errno));
  }
  path_ = "/proc/self/fd/" + std::to_string(file_);
}

TextFile::~TextFile() { (void)::close(file_); }

std::string TextFile::named(std::string message) const { return replaced(std::move(message), path_, name_); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace scfe::server
