// Text of a request as a file without a name on disk, for readers that take a path.
#pragma once

#include <string>
#include <string_view>

namespace scfe::server {

class TextFile {
 public:
  // `name` is what errors call it.
  TextFile(std::string name, std::string_view text);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const { return path_; }
  // A message with the path replaced by the name.
  std::string named(std::string message) const;

 private:
  std::string name_, path_;
  int file_ = -1;
};

// Replaces every `from` in the text.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace scfe::server
