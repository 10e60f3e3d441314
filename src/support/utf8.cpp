#include "scfe/utf8.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "scfe/error.h"

namespace scfe {
namespace {

std::string with_codes(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    std::array<char, 8> code{};
    (void)std::snprintf(code.data(), code.size(), "\\x%02X", byte);
    shown += byte < 0x80 ? std::string(1, c) : code.data();
  }
  return shown;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead >= 0x80 && (lead < 0xc2 || lead > 0xf4)) return false;
    if (i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    i += length;
  }
  return true;
}

void require_utf8(std::string_view text, const std::string& place) {
  if (!is_utf8(text))
    throw Error(place, "UTF-8 text", "'" + with_codes(text) + "' in another encoding (Latin-1?)");
}

}  // namespace scfe
