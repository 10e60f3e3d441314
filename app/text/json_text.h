// Writes JSON numbers, strings and objects. Numbers have the shortest form that reads back exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scfe::app {

std::string json_quoted(std::string_view text);
std::string json_number(double value);  // null unless it is finite

std::string json_list(const std::vector<std::string>& items);  // of values that are JSON already
std::string json_texts(const std::vector<std::string>& texts);

// Builds {"a": 1, "b": "x"} member by member.
class JsonObject {
 public:
  JsonObject& raw(std::string_view name, const std::string& json);
  JsonObject& text(std::string_view name, std::string_view value) { return raw(name, json_quoted(value)); }
  JsonObject& number(std::string_view name, double value) { return raw(name, json_number(value)); }
  JsonObject& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
  std::string str() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace scfe::app
