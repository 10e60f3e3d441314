// Text and numbers inside HTML.
#pragma once

#include <string>
#include <string_view>

namespace scfe::cli {

std::string escaped(std::string_view text);
// <name class="style">inner</name>; `inner` is HTML already.
std::string tag(std::string_view name, std::string_view style, std::string_view inner);
// Coordinates: two decimals are below a pixel.
std::string coordinate(double value);

}  // namespace scfe::cli
