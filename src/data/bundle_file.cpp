#include "data/bundle_file.h"

#include "data/checksum.h"
#include "scfe/error.h"
#include "support/bytes.h"

namespace scfe {
namespace {

constexpr std::string_view magic("\x89SCFE\r\n\x1a", 8);
constexpr std::uint32_t version = 8;
constexpr std::size_t header_size = 32, entry_size = 32, name_size = 16, checksum_at = 24;

std::uint64_t checksum(std::string_view file) {
  return fnv1a(file.substr(checksum_at + sizeof(std::uint64_t)), fnv1a(file.substr(0, checksum_at)));
}

std::string hex(std::uint64_t value) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 15];
  return text;
}

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void check_header(std::string_view bytes, const std::string& source) {
  const std::size_t start = std::min(bytes.size(), magic.size());
  if (bytes.empty()) throw Error(source, "a fitted file written by scfe", "an empty file");
  if (bytes.substr(0, start) != magic.substr(0, start))
    throw Error(source, "a fitted file written by scfe", "another kind of file");
  if (bytes.size() < header_size)
    throw Error(source, "a whole fitted file",
                "one cut off after " + std::to_string(bytes.size()) + " bytes");
  const auto found = number_at<std::uint32_t>(bytes, 8);
  if (found != version)
    throw Error(source + ": version", std::to_string(version) + " (fit again with this program)",
                std::to_string(found));
  const auto size = number_at<std::uint64_t>(bytes, 16);
  if (size != bytes.size())
    throw Error(source, "a whole fitted file of " + std::to_string(size) + " bytes",
                std::to_string(bytes.size()) + (bytes.size() < size ? " (cut off)" : ""));
  const auto sum = number_at<std::uint64_t>(bytes, checksum_at);
  if (sum != checksum(bytes))
    throw Error(source + ": checksum", hex(sum), hex(checksum(bytes)) + " (the file is damaged)");
}

}  // namespace

std::string pack_sections(const Sections& sections) {
  std::string table, contents;
  const std::size_t first = header_size + entry_size * sections.size();
  for (const auto& [name, bytes] : sections) {
    ByteWriter place;
    place.put(std::uint64_t{first + contents.size()});
    place.put(std::uint64_t{bytes.size()});
    std::string padded_name = name;
    padded_name.resize(name_size, '\0');
    table += padded_name + place.bytes();
    contents += bytes;
  }
  ByteWriter header;
  header.put(version);
  header.put(static_cast<std::uint32_t>(sections.size()));
  header.put(std::uint64_t{first + contents.size()});
  header.put(std::uint64_t{0});
  std::string file = std::string(magic) + header.bytes() + table + contents;
  const std::uint64_t sum = checksum(file);
  std::memcpy(file.data() + checksum_at, &sum, sizeof sum);
  return file;
}

BundleFile::BundleFile(std::string_view bytes, const std::string& source) {
  check_header(bytes, source);
  const auto count = number_at<std::uint32_t>(bytes, 12);
  if (count > (bytes.size() - header_size) / entry_size)
    throw Error(source + ": sections", "as many as fit the file", std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry = bytes.substr(header_size + i * entry_size, entry_size);
    std::string_view name = entry.substr(0, name_size);
    name = name.substr(0, name.find('\0'));
    const auto offset = number_at<std::uint64_t>(entry, name_size);
    const auto size = number_at<std::uint64_t>(entry, name_size + sizeof(std::uint64_t));
    if (offset > bytes.size() || size > bytes.size() - offset)
      throw Error(source + ": section " + std::to_string(i), "to lie within the file",
                  "bytes " + std::to_string(offset) + " + " + std::to_string(size));
    sections_.emplace_back(name, bytes.substr(offset, size));
  }
}

std::string_view BundleFile::section(std::string_view name) const {
  for (const auto& [known, bytes] : sections_)
    if (known == name) return bytes;
  throw Error("section '" + std::string(name) + "'", "to be there", "none");
}

}  // namespace scfe
