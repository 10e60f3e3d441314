#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe {
namespace {

constexpr std::size_t buffered = std::size_t{1} << 16;
constexpr mode_t permissions = 0777;

// The temporary files that exist now, for remove_temporary_files().
class Temporaries {
 public:
  void add(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    paths_.insert(path);
  }
  void forget(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    paths_.erase(path);
  }
  void remove_all() {
    const std::scoped_lock lock(mutex_);
    for (const std::string& path : paths_) (void)::unlink(path.c_str());
    paths_.clear();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};

Temporaries& temporaries() {
  static Temporaries all;
  return all;
}

std::string folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// A name that nobody can have prepared a file under. A long name is cut, because file systems limit them.
std::string temporary_name(const std::string& target) {
  constexpr std::size_t longest = 200;
  std::random_device random;
  std::array<char, 17> unique = {};
  (void)std::snprintf(unique.data(), unique.size(), "%08x%08x", random(), random());
  const std::string name = std::filesystem::path(target).filename().string().substr(0, longest);
  return folder_of(target) + "/." + name + "." + unique.data() + ".part";
}

}  // namespace

bool write_fully(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Some file systems cannot synchronise; what they hold is then as safe as they make it.
bool sync_file(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

bool sync_folder_of(const std::string& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno == EACCES;  // one may write to a folder without being allowed to read it
  const bool done = sync_file(folder);
  const int error = errno;
  (void)::close(folder);
  errno = error;
  return done;
}

std::string output_target(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return path;
  constexpr int most_links = 40;
  std::filesystem::path target = path;
  for (int links = 0; ::lstat(target.c_str(), &found) == 0 && S_ISLNK(found.st_mode); ++links) {
    if (links == most_links) throw Error(path, "a file that can be written", "links that lead in a circle");
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) throw Error(path, "a file that can be written", error.message());
    target = target.parent_path() / next;  // an absolute path replaces the folder
  }
  return target.string();
}

void remove_temporary_files() { temporaries().remove_all(); }

void AsideFile::fail(const char* expected) const { throw Error(path_, expected, std::strerror(errno)); }

AsideFile::AsideFile(std::string path) : path_(std::move(path)), target_(output_target(path_)) {
  struct stat found = {};
  const bool exists = ::stat(target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) throw Error(path_, "a file that can be written", "a folder");
  if (exists && !S_ISREG(found.st_mode)) {
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file_ < 0) fail("a file that can be written");
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("a file that can be written");
  if (exists) mode_ = static_cast<int>(found.st_mode & permissions);
  open_temporary();
}

// Only its owner may read it until it has the permissions of the file that it replaces.
void AsideFile::open_temporary() {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts && file_ < 0; ++i) {
    temporary_ = temporary_name(target_);
    temporaries().add(temporary_);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   mode_ < 0 ? 0666 : 0600);
    if (file_ >= 0) return;
    const int error = errno;
    temporaries().forget(temporary_);
    errno = error;
    if (error != EEXIST) break;
  }
  fail("a file that can be written");
}

AsideFile::~AsideFile() {
  if (file_ < 0) return;
  (void)::close(file_);
  if (temporary_.empty()) return;
  (void)::unlink(temporary_.c_str());
  temporaries().forget(temporary_);
}

void AsideFile::write(std::string_view bytes) {
  waiting_ += bytes;
  if (waiting_.size() >= buffered) flush();
}

void AsideFile::flush() {
  if (!write_fully(file_, waiting_)) fail("room to write");
  waiting_.clear();
}

// Data reach the disk before the name does, so that after a power failure the name stands for the old file or
// the new one.
void AsideFile::commit() {
  flush();
  if (temporary_.empty()) return close();
  if (mode_ >= 0 && ::fchmod(file_, static_cast<mode_t>(mode_)) != 0) fail("permissions like before");
  if (!sync_file(file_)) fail("room to write");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("a file that can be replaced");
  temporaries().forget(std::exchange(temporary_, {}));
  close();
  if (!sync_folder_of(target_)) fail("a folder that can be written");
}

// The descriptor is gone whatever close() returns.
void AsideFile::close() {
  if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) fail("room to write");
}

void write_file(const std::string& path, std::string_view bytes) {
  AsideFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace scfe
