#include "report/html_text.h"

#include <array>
#include <cstdio>

#include "report/script.h"
#include "report/style.h"

namespace scfe::app {
namespace {

std::string block(std::string_view selector, std::string_view content) {
  return std::string(selector).append(" {").append(content).append("}\n");
}

std::string page_style() {
  return block(":root", light_colours) +
         block("@media screen and (prefers-color-scheme: dark)", block(":root", dark_colours)) +
         std::string(page_rules) + std::string(rules) + std::string(print_rules);
}

// The rules are nested, so that they change nothing else on the page.
std::string notebook_style() {
  return block(".scfe", light_colours) + block(dark_notebooks, dark_colours) + block(".scfe", rules) +
         std::string(notebook_rules);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string tag(std::string_view name, std::string_view css_class, std::string_view inner) {
  std::string text = "<" + std::string(name);
  if (!css_class.empty()) text += " class=\"" + std::string(css_class) + "\"";
  return text.append(">").append(inner).append("</").append(name).append(">");
}

std::string coordinate(double value) {
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), "%.2f", value);
  std::string digits = text.data();
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return digits == "-0" ? "0" : digits;
}

std::string panel(std::string_view title, std::string_view inner) {
  return tag("section", "panel", tag("h2", "", escaped(title)) + "\n" + std::string(inner)) + "\n";
}

std::string page_opening(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         std::string(report_policy) + "\n" + tag("title", "", title) + "\n" + tag("style", "", page_style()) +
         "\n</head>\n<body>\n<main>\n";
}

std::string page_closing() { return "</main>\n</body>\n</html>\n"; }

std::string notebook_part(const std::string& inner) {
  return tag("div", "scfe", tag("style", "", notebook_style()) + "\n" + inner);
}

}  // namespace scfe::app
