// A message as one line of text that any terminal can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scfe {

// Line breaks become spaces; other control characters, and bytes that are not UTF-8, are written as \x1B. A
// text of more than `most` bytes keeps its beginning and its end, with "..." between them.
std::string one_line(std::string_view text, std::size_t most);

}  // namespace scfe
