#include "data/utf8.h"

#include <array>
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
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || i + more >= text.size()) return false;
    for (std::size_t k = 0; k < more; ++k)
      if ((static_cast<unsigned char>(text[++i]) & 0xc0) != 0x80) return false;
  }
  return true;
}

void require_utf8(std::string_view text, const std::string& place) {
  if (!is_utf8(text))
    throw Error(place, "UTF-8 text", "'" + with_codes(text) + "' in another encoding (Latin-1?)");
}

}  // namespace scfe
