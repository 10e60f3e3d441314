#include "report/html_text.h"

#include <array>
#include <cstdio>

namespace scfe::cli {

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

std::string tag(std::string_view name, std::string_view style, std::string_view inner) {
  std::string text = "<" + std::string(name);
  if (!style.empty()) text += " class=\"" + std::string(style) + "\"";
  return text.append(">").append(inner).append("</").append(name).append(">");
}

std::string coordinate(double value) {
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

}  // namespace scfe::cli
