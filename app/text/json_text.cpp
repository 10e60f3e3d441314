#include "text/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "scfe/text.h"

namespace scfe::app {

namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

// Appends stretches without escapes as a whole: most texts are one.
void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if(text, needs_escape) - text.begin());
    json += text.substr(0, plain);
    if (plain == text.size()) break;
    const char c = text[plain];
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else {
      std::array<char, 8> code{};
      (void)std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      json += code.data();
    }
    text.remove_prefix(plain + 1);
  }
  json += '"';
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size() + 2);
  append_quoted(quoted, text);
  return quoted;
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string json_list(const std::vector<std::string>& items) { return "[" + join(items, ", ") + "]"; }

std::string json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(json_quoted(text));
  return json_list(quoted);
}

JsonObject& JsonObject::raw(std::string_view name, const std::string& json) {
  if (!members_.empty()) members_ += ", ";
  append_quoted(members_, name);
  members_ += ": ";
  members_ += json;
  return *this;
}

}  // namespace scfe::app
