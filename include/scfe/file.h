// A file that is never incomplete: it is written to PATH.part, and commit() renames it to PATH. Without
// commit(), after an error for example, the destructor removes PATH.part.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace scfe {

class AsideFile {
 public:
  explicit AsideFile(std::string path);
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* expected) const;

  struct Close {
    void operator()(std::FILE* file) const;
  };
  std::string path_, part_;
  std::unique_ptr<std::FILE, Close> file_;
};

// The whole content of a file.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace scfe
