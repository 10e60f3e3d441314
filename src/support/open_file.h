// An open file that is closed at the end of its scope. Devices and folders are refused: a device such as
// /dev/zero never ends.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace scfe {

class OpenFile {
 public:
  OpenFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  OpenFile(OpenFile&& other) noexcept
      : size(other.size), descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }
  void seek(std::size_t offset) const;
  // Reads up to `most` bytes; 0 at the end of the file.
  std::size_t read(char* to, std::size_t most) const;

  std::size_t size = 0;  // in bytes; of a pipe an assumption, for the memory that reading it may take

 private:
  int descriptor_;
  std::string path_;
};

OpenFile open_file(const std::string& path);

}  // namespace scfe
