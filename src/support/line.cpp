#include "scfe/line.h"

#include <array>
#include <cstdio>

namespace scfe {
namespace {

// The length of the UTF-8 character at the beginning of the text; 0 if there is none.
std::size_t character(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char lead = at(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead > 0xf4) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  // Longer than needed, half of a pair of UTF-16, or beyond the last character.
  const bool wrong = (lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) >= 0xa0) ||
                     (lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) >= 0x90);
  if (wrong) return 0;
  const bool control = lead == 0xc2 && at(1) < 0xa0;  // U+0080 to U+009F, which terminals obey as well
  return control || (size == 1 && (lead < 0x20 || lead == 0x7f)) ? 0 : size;
}

// One character as it is shown, cut off the beginning of the text.
std::string shown(std::string_view& text) {
  const std::size_t size = character(text);
  const char first = text[0];
  std::string whole(text.substr(0, size));
  text.remove_prefix(size == 0 ? 1 : size);
  if (size > 0) return whole;
  if (first == '\n' || first == '\r' || first == '\t') return " ";
  std::array<char, 8> code{};
  (void)std::snprintf(code.data(), code.size(), "\\x%02X", static_cast<unsigned char>(first));
  return code.data();
}

// As much of the text as fits into so many bytes.
std::string beginning(std::string_view text, std::size_t most) {
  std::string line;
  while (!text.empty()) {
    const std::string next = shown(text);
    if (line.size() + next.size() > most) break;
    line += next;
  }
  return line;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  constexpr std::string_view between = " ... ";
  std::string whole = beginning(text, most + 1);
  if (whole.size() <= most && text.size() <= most) return whole;
  const std::size_t tail = most / 4, head = most - tail - between.size();
  // The end begins at a character of its own, and shows no more than its share even if all of it is escaped.
  std::string_view end = text.substr(text.size() - std::min(text.size(), tail));
  while (!end.empty() && (static_cast<unsigned char>(end[0]) & 0xc0) == 0x80) end.remove_prefix(1);
  std::string last = beginning(end, 4 * tail);
  while (last.size() > tail) {
    const std::size_t cut = last.size() - tail;
    last.erase(0, cut);
    while (!last.empty() && (static_cast<unsigned char>(last[0]) & 0xc0) == 0x80) last.erase(0, 1);
  }
  return beginning(text, head) + std::string(between) + last;
}

}  // namespace scfe
