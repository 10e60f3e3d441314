// Files that are never incomplete.
//
// AsideFile writes to a temporary file with a name of its own in the target's folder; commit() gives it the
// permissions of the file that it replaces, waits until it is on the disk, renames it to the target, and
// waits for the folder. Without commit(), after an error for example, the destructor removes the temporary
// file. A link stays a link: the file that it leads to is replaced. What is no regular file (a device, a
// pipe) cannot be replaced and is written to directly.
#pragma once

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
  void open_temporary();
  void flush();
  void close();

  std::string path_, target_, temporary_;  // as given; with links followed; empty: written to directly
  std::string waiting_;                    // bytes that are not yet written
  int mode_ = -1;                          // permissions of the file to be replaced; -1: there is none
  int file_ = -1;
};

// The whole content of a file or a pipe. Devices are refused, and files beyond the memory limit
// (scfe/memory.h).
std::string read_file(const std::string& path);
// The size of a file, or what is assumed of a pipe. Throws for what read_file refuses.
std::size_t size_of_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

// The file that writing to `path` changes: links are followed, also to files that do not exist yet.
std::string output_target(const std::string& path);

// Removes the temporary files of this process, for a program that must end at once.
void remove_temporary_files();

// Steps of writing, for files that are written in another way. False, with errno set, if they fail.
bool write_fully(int descriptor, std::string_view bytes);
bool sync_file(int descriptor);
bool sync_folder_of(const std::string& path);  // so that the name of a new or renamed file is on the disk

}  // namespace scfe
