// A position within a JSON document that knows its path, such as "S.json: features[3].range". Its methods
// return a value of the expected type or throw an Error with that path.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/json.h"

namespace scfe {

// An entry of a list as errors name it: "[3]", or "[3] ('age')" if it has a name.
std::string place_in_list(std::size_t place, const std::string& name);

class JsonCursor {
 public:
  using Json = nlohmann::json;

  JsonCursor(const Json& value, std::string source, std::string path = {})
      : value_(&value), source_(std::move(source)), path_(std::move(path)) {}

  // Throws unless this is an object that has no other keys than these.
  void only(std::initializer_list<const char*> keys) const;
  std::optional<JsonCursor> find(const char* key) const;
  JsonCursor at(const char* key) const;

  std::vector<JsonCursor> list() const;
  // The members of an object with arbitrary keys.
  std::vector<std::pair<std::string, JsonCursor>> entries() const;
  std::vector<std::string> texts() const;
  std::string text() const;
  double number() const;
  int whole_number(int least, int most) const;
  bool boolean() const;
  template <class Names>
  auto choice(const Names& names) const {
    const std::string name = text();
    std::string known;
    for (const auto& [known_name, value] : names) {
      if (known_name == name) return value;
      known += (known.empty() ? "" : ", ") + std::string(known_name);
    }
    reject("one of " + known);
  }

  bool is_null() const { return value_->is_null(); }
  bool is_boolean() const { return value_->is_boolean(); }
  bool is_text() const { return value_->is_string(); }
  bool is_number() const { return value_->is_number(); }
  [[noreturn]] void reject(const std::string& expected) const;

 private:
  const Json* value_;
  std::string source_, path_;
};

}  // namespace scfe
