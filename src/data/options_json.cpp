#include "scfe/options_json.h"

#include "data/json_cursor.h"
#include "scfe/error.h"
#include "support/catalogue.h"

namespace scfe {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json json_of(const Value& value) {
  if constexpr (std::is_same_v<Value, Target>) {
    if (value.is_class()) return value.number();
    return value == Target::any() ? "any" : "other";
  } else if constexpr (std::is_enum_v<Value>)
    return name_of(value);
  else
    return value;
}

}  // namespace

std::string options_json(const Options& options) {
  Json object;
  for (const OptionRow& row : option_catalogue())
    std::visit([&](auto member) { object[std::string(row.name)] = json_of(options.*member); }, row.member);
  return object.dump();
}

Options parse_options_json(const std::string& text, const std::string& source) {
  const nlohmann::json object = parse_json(text, source);
  if (!object.is_object()) throw Error(source, "an object of options", object.type_name());
  Options options;
  for (const auto& [name, json] : object.items()) {
    const OptionRow& row = find_row(option_catalogue(), "option", name);
    const bool quoted = json.is_string();
    const bool of_type = row.type == OptionType::target || quoted == (row.json_type() == "string");
    if (!of_type || !read_option(options, row, quoted ? json.get<std::string>() : brief(json)))
      throw Error(source + ": " + name, row.expected(), brief(json));
  }
  return options;
}

}  // namespace scfe
