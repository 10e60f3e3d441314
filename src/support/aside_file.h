// A file that appears only when complete: it is written to PATH.part, and commit() renames it to PATH.
//
// Without commit() the part file is removed, so that errors leave nothing behind. It remains after keep() or
// if the process was killed; a later run can then continue it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace scfe {

class AsideFile {
 public:
  // Starts a new part file.
  explicit AsideFile(std::string path);
  // Continues an existing part file after its first `kept` bytes.
  AsideFile(std::string path, std::uint64_t kept);
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  static std::string part_of(const std::string& path) { return path + ".part"; }

  void write(std::string_view bytes);
  void flush();
  void keep() { keep_ = true; }
  void commit();

 private:
  [[noreturn]] void fail(const char* expected) const;

  struct Close {
    void operator()(std::FILE* file) const;
  };
  std::string path_, part_;
  std::unique_ptr<std::FILE, Close> file_;
  bool keep_ = false;
};

// The whole content of a file.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace scfe
