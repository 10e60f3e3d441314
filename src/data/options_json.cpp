#include "scfe/options_json.h"

#include "data/json_cursor.h"
#include "scfe/error.h"
#include "support/catalogue.h"

namespace scfe {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
bool fits(const Json& json) {
  if constexpr (std::is_same_v<Value, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<Value, std::string>) return json.is_string();
  if constexpr (std::is_same_v<Value, std::uint64_t>) return json.is_number_unsigned();
  if constexpr (std::is_same_v<Value, int>)
    return json.is_number_integer() && json.get<double>() == json.get<int>();
  return json.is_number();
}

}  // namespace

std::string options_json(const Options& options) {
  Json object;
  for (const OptionRow& row : option_catalogue())
    std::visit([&](auto member) { object[std::string(row.name)] = options.*member; }, row.member);
  return object.dump();
}

Options parse_options_json(const std::string& text, const std::string& source) {
  const Json object = parse_json(text, source);
  if (!object.is_object()) throw Error(source, "an object of options", object.type_name());
  Options options;
  for (const auto& [name, json] : object.items()) {
    const OptionRow& row = find_row(option_catalogue(), "option", name);
    const auto set = [&, &json = json, &name = name]<class Value>(Value Options::*member) {
      if (!fits<Value>(json)) throw Error(source + ": " + name, std::string(row.expected), json.dump());
      options.*member = json.template get<Value>();
    };
    std::visit(set, row.member);
  }
  return options;
}

}  // namespace scfe
