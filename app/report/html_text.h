// Text and numbers in HTML.
#pragma once

#include <string>
#include <string_view>

namespace scfe::cli {

std::string escaped(std::string_view text);
// <name class="style">inner</name>; `inner` must be HTML.
std::string tag(std::string_view name, std::string_view style, std::string_view inner);
// Two decimals, which is finer than a pixel.
std::string coordinate(double value);

}  // namespace scfe::cli
