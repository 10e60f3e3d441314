// Rejects text that is not UTF-8 (mostly Latin-1) with a clear message, before it becomes an unknown level.
#pragma once

#include <string>
#include <string_view>

namespace scfe {

// True if the text is UTF-8: no character longer than needed, no half of a pair, none beyond the last one.
bool is_utf8(std::string_view text);
// Throws an Error naming the place; invalid bytes are shown like \xE9.
void require_utf8(std::string_view text, const std::string& place);

}  // namespace scfe
