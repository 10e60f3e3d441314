// The folder of the batch jobs. Uploaded rows may be personal, so only the owner may enter a folder that is
// made here; and two servers that shared one would answer, and remove, each other's jobs, so it belongs to
// one at a time.
#pragma once

#include <string>

namespace scfe::server {

class JobFolder {
 public:
  // Makes the folder if there is none, and locks it. Throws Error if it cannot be made, or another server
  // uses it. (File systems without locks are not protected.)
  explicit JobFolder(const std::string& path);
  ~JobFolder();
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

 private:
  int handle_;
};

}  // namespace scfe::server
