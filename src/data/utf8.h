// Rejects text that is not UTF-8 (mostly Latin-1) with a clear message, before it becomes an unknown level.
#pragma once

#include <string>
#include <string_view>

namespace scfe {

bool is_utf8(std::string_view text);
// Throws an Error naming the place; invalid bytes are shown like \xE9.
void require_utf8(std::string_view text, const std::string& place);

}  // namespace scfe
