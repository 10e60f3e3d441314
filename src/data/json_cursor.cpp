#include "data/json_cursor.h"

#include <algorithm>
#include <string_view>

#include "scfe/error.h"

namespace scfe {

std::string place_in_list(std::size_t place, const std::string& name) {
  return "[" + std::to_string(place) + "]" + (name.empty() ? "" : " ('" + name + "')");
}

void JsonCursor::reject(const std::string& expected) const {
  throw Error(source_ + ": " + (path_.empty() ? "document" : path_), expected, brief(*value_));
}

void JsonCursor::only(std::initializer_list<const char*> keys) const {
  if (!value_->is_object()) reject("an object");
  for (const auto& [key, value] : value_->items()) {
    if (std::ranges::find(keys, std::string_view(key)) != keys.end()) continue;
    std::string known;
    for (const char* name : keys) known += (known.empty() ? "" : ", ") + std::string(name);
    throw Error(source_ + ": " + (path_.empty() ? "document" : path_), "only the keys " + known,
                "'" + key + "'");
  }
}

std::optional<JsonCursor> JsonCursor::find(const char* key) const {
  if (!value_->is_object()) reject("an object");
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonCursor(*found, source_, path_.empty() ? key : path_ + "." + key);
}

JsonCursor JsonCursor::at(const char* key) const {
  const auto found = find(key);
  if (!found) throw Error(source_ + ": " + (path_.empty() ? key : path_ + "." + key), "a value", "none");
  return *found;
}

std::vector<JsonCursor> JsonCursor::list() const {
  if (!value_->is_array()) reject("a list");
  std::vector<JsonCursor> entries;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    const Json& entry = (*value_)[i];
    const auto name = entry.is_object() ? entry.find("name") : entry.end();
    const bool named = entry.is_object() && name != entry.end() && name->is_string();
    entries.emplace_back(entry, source_, path_ + place_in_list(i, named ? name->get<std::string>() : ""));
  }
  return entries;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::entries() const {
  if (!value_->is_object()) reject("an object");
  std::vector<std::pair<std::string, JsonCursor>> members;
  for (const auto& [key, value] : value_->items())
    members.emplace_back(key, JsonCursor(value, source_, path_ + "." + key));
  return members;
}

std::vector<std::string> JsonCursor::texts() const {
  std::vector<std::string> all;
  for (const JsonCursor& entry : list()) all.push_back(entry.text());
  return all;
}

std::string JsonCursor::text() const {
  if (!value_->is_string()) reject("a text");
  return value_->get<std::string>();
}

double JsonCursor::number() const {
  if (!value_->is_number()) reject("a number");
  return value_->get<double>();
}

int JsonCursor::whole_number(int least, int most) const {
  const bool whole = value_->is_number_integer();
  const double value = whole ? value_->get<double>() : 0;
  if (!whole || value < least || value > most)
    reject("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(value);
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) reject("true or false");
  return value_->get<bool>();
}

}  // namespace scfe
