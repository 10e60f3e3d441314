// Text and numbers in HTML.
#pragma once

#include <string>
#include <string_view>

namespace scfe::app {

std::string escaped(std::string_view text);
// <name class="css_class">inner</name>; `inner` must be HTML.
std::string tag(std::string_view name, std::string_view css_class, std::string_view inner);
// A part of the page with a heading, which stands beside others where there is room. The title is plain text.
std::string panel(std::string_view title, std::string_view inner);
// At most two decimals, which is finer than a pixel.
std::string coordinate(double value);
// The HTML before and after the content of a page, which loads nothing from the network. The title must be
// HTML.
std::string page_opening(const std::string& title);
std::string page_closing();
// Content with the report's style, to be put into a page of someone else, such as a notebook.
std::string notebook_part(const std::string& inner);

}  // namespace scfe::app
