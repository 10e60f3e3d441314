#include "server/job_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "scfe/error.h"

namespace scfe::server {

JobFolder::JobFolder(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
  (void)::mkdir(path.c_str(), S_IRWXU);
  handle_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle_ < 0) throw Error("--jobs", "a folder that can be made", "'" + path + "'");
  while (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) break;  // a file system without locks
    (void)::close(handle_);
    throw Error("--jobs", "a folder that no other server uses", "'" + path + "'");
  }
}

JobFolder::~JobFolder() { (void)::close(handle_); }

}  // namespace scfe::server
