// Opens a file that another file names, without leaving that file's folder: no absolute paths, no "..", and
// no symbolic links, neither of files nor of folders on the way. A model from somebody else could otherwise
// have any file of this machine read into it.
#pragma once

#include <filesystem>
#include <string>

#include "support/open_file.h"

namespace scfe {

// Throws an Error that begins with `field` unless it is a regular file.
OpenFile open_beside(const std::filesystem::path& folder, const std::filesystem::path& location,
                     const std::string& field);

}  // namespace scfe
