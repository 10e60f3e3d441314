// A file that is there whole or not at all: written to PATH.part, renamed to PATH by commit().
//
// Without commit() the part is removed (an error leaves nothing behind), unless keep() was called or the
// process was killed: then it holds what was flushed, and a later run may continue it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace scfe {

class AsideFile {
 public:
  // Starts afresh.
  explicit AsideFile(std::string path);
  // Continues the part that is there, after its first `kept` bytes.
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

// A whole file at once.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace scfe
