// Writes JSON numbers, strings and objects. Numbers have the shortest form that reads back exactly.
#pragma once

#include <string>
#include <string_view>

namespace scfe::app {

std::string json_quoted(std::string_view text);
std::string json_number(double value);  // null unless it is finite

// Builds {"a": 1, "b": "x"} member by member.
class JsonObject {
 public:
  JsonObject& raw(std::string_view name, const std::string& json);
  JsonObject& text(std::string_view name, std::string_view value) { return raw(name, json_quoted(value)); }
  JsonObject& number(std::string_view name, double value) { return raw(name, json_number(value)); }
  std::string str() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace scfe::app
