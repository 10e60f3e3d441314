// Text that is no UTF-8 (Latin-1 mostly): named as such, not as an unknown level.
#pragma once

#include <string>
#include <string_view>

namespace scfe {

bool is_utf8(std::string_view text);
// Error naming the place; other bytes are shown as \xE9.
void require_utf8(std::string_view text, const std::string& place);

}  // namespace scfe
