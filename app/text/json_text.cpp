#include "text/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace scfe::app {

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      (void)std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      quoted += code.data();
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

JsonObject& JsonObject::raw(std::string_view name, const std::string& json) {
  members_ += (members_.empty() ? "" : ", ") + json_quoted(name) + ": " + json;
  return *this;
}

}  // namespace scfe::app
