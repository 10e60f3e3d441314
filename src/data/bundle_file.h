// The container format of a bundle: named sections of bytes behind a header with size and checksum, which are
// verified first. Numbers are little-endian.
//
//     0   8   magic: 89 53 43 46 45 0d 0a 1a ("SCFE" between bytes that text transfers break)
//     8   4   version          12   4   number of sections
//     16  8   size of the file 24   8   FNV-1a of every byte but these eight
//     32      per section: 16 name (padded with 0), 8 offset, 8 size; then the sections one after another
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scfe {

using Sections = std::vector<std::pair<std::string, std::string>>;  // name, bytes

std::string pack_sections(const Sections& sections);

// The sections of a file, as views into its bytes. `source` is the file name for error messages.
class BundleFile {
 public:
  BundleFile(std::string_view bytes, const std::string& source);
  std::string_view section(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> sections_;
};

}  // namespace scfe
