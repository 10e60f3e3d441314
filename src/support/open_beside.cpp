#include "support/open_beside.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scfe/error.h"

namespace scfe {

// Each part of the location is opened from the folder before it, so that nothing can be exchanged for a link
// between a check and its use.
OpenFile open_beside(const std::filesystem::path& folder, const std::filesystem::path& location,
                     const std::string& field) {
  const auto refuse = [&](const char* expected) -> Error {
    return {field, expected, "'" + location.string() + "'"};
  };
  if (location.empty() || location.is_absolute()) throw refuse("external data beside the model");
  int at = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (auto part = location.begin(); part != location.end(); ++part) {
    const OpenFile before(at, "");
    if (*part == "..") throw refuse("external data beside the model");
    const bool last = std::next(part) == location.end();
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (last ? O_NONBLOCK : O_DIRECTORY);
    at = at < 0 ? at : ::openat(at, part->c_str(), flags);
  }
  OpenFile file(at, (folder / location).string());
  struct stat status {};
  if (at < 0 || ::fstat(at, &status) != 0 || !S_ISREG(status.st_mode))
    throw refuse("a file of external data (no link, and in no linked folder)");
  file.size = static_cast<std::size_t>(status.st_size);
  return file;
}

}  // namespace scfe
