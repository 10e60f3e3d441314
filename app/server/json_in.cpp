#include "server/json_in.h"

#include <algorithm>
#include <array>
#include <set>

#include "ask/limits.h"
#include "ask/question.h"
#include "scfe/error.h"
#include "scfe/line.h"
#include "scfe/memory.h"
#include "scfe/text.h"
#include "scfe/utf8.h"
#include "server/message.h"

namespace scfe::server {
namespace {

constexpr std::array name_lists = {"freeze", "only-up", "only-down"};
constexpr std::size_t most_rules = 50, most_rule_letters = 1000;

std::string kind_of(const Json& value) {
  if (value.is_string()) return "'" + one_line(value.get<std::string>(), 100) + "'";
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return value.dump();
}

// The text of a scalar as the command line would have it. Throws Error for lists and objects.
std::string text_of(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw Error(name, "a text, a number, true or false", kind_of(value));
}

std::vector<std::string> texts_of(const std::string& name, const Json& value) {
  std::vector<std::string> texts;
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) throw Error(name, "a list of texts", kind_of(value));
  for (const Json& entry : value) {
    if (!entry.is_string()) throw Error(name, "a list of texts", "a list with " + kind_of(entry));
    texts.push_back(entry.get<std::string>());
  }
  return texts;
}

std::vector<std::string> feature_names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) names.push_back(column.feature.name);
  return names;
}

Json normal_ranges(const Json& value) {
  if (!value.is_object()) throw Error("range", "an object {\"FEATURE\": [LO, HI]}", kind_of(value));
  Json ranges = Json::object();
  for (const auto& [name, ends] : value.items()) {
    const auto is_end = [](const Json& end) { return end.is_null() || end.is_number(); };
    if (!ends.is_array() || ends.size() != 2 || !is_end(ends[0]) || !is_end(ends[1]))
      throw Error("range: '" + name + "'", "[LO, HI], numbers or null", kind_of(ends));
    ranges[name] = ends;
  }
  return ranges;
}

Json normal_rules(const Json& value) {
  std::vector<std::string> rules = texts_of("rule", value);
  if (rules.size() > most_rules)
    throw Error("rule", "at most " + std::to_string(most_rules) + " rules", std::to_string(rules.size()));
  for (const std::string& rule : rules)
    if (rule.size() > most_rule_letters)
      throw Error("rule", "at most " + std::to_string(most_rule_letters) + " letters",
                  std::to_string(rule.size()));
  return rules;
}

const OptionRow* option_named(const std::string& name) {
  for (const OptionRow& row : option_catalogue())
    if (row.name == name && row.is_per_request) return &row;
  return nullptr;
}

std::vector<std::string> known_members() {
  std::vector<std::string> names(name_lists.begin(), name_lists.end());
  names.insert(names.end(), {"range", "rule"});
  for (const OptionRow& row : option_catalogue())
    if (row.is_per_request) names.emplace_back(row.name);
  return names;
}

void check_answers(const Json& question, const Limits& limits) {
  const auto asked = question.find("answers");
  if (asked == question.end()) return;
  const auto count = parse_number(text_of("answers", *asked));
  if (count && *count > static_cast<double>(limits.answers))
    throw Error("answers", "at most " + std::to_string(limits.answers) + " (a limit of this server)",
                kind_of(*asked));
}

}  // namespace

Json parse_object(const std::string& text, const std::string& what) {
  if (!is_utf8(text)) throw Error(what, "UTF-8 text", "other bytes");
  expect_modest_json(text, what);
  Json value;
  try {
    value = Json::parse(text);
  } catch (const Json::exception&) {
    refuse_json(text, what);
  }
  if (!value.is_object()) throw Error(what, "a JSON object", kind_of(value));
  return value;
}

Json normal_question(const Json& question, const Schema& schema, const Limits& limits) {
  if (question.is_null()) return Json::object();
  if (!question.is_object()) throw Error("question", "an object", kind_of(question));
  const std::vector<std::string> features = feature_names_of(schema);
  Json normal = Json::object();
  for (const auto& [name, value] : question.items()) {
    if (value.is_null()) continue;
    if (std::ranges::find(name_lists, name) != name_lists.end())
      normal[name] = app::names_in(texts_of(name, value), features);
    else if (name == "range")
      normal[name] = normal_ranges(value);
    else if (name == "rule")
      normal[name] = normal_rules(value);
    else if (option_named(name) != nullptr)
      (void)text_of(name, value), normal[name] = value;
    else
      throw unknown_name("question", "member", name, known_members());
  }
  for (const char* list : {"freeze", "only-up", "only-down", "range", "rule"})
    if (normal.contains(list) && normal[list].empty()) normal.erase(list);
  check_answers(normal, limits);
  return normal;
}

app::Arguments arguments_of(const Json& question) {
  app::Arguments arguments;
  for (const auto& [name, value] : question.items()) {
    std::vector<std::string>& texts = arguments.flags[name];
    if (name == "range") {
      for (const auto& [feature, ends] : value.items()) {
        const auto end = [](const Json& value_of_end) {
          return value_of_end.is_null() ? std::string() : text_of("range", value_of_end);
        };
        texts.push_back(feature + "=" + end(ends[0]) + ":" + end(ends[1]));
      }
    } else if (value.is_array()) {
      texts = value.get<std::vector<std::string>>();
    } else {
      texts = {text_of(name, value)};
    }
  }
  return arguments;
}

std::vector<Json> rows_in(const Json& body, const std::string& many, const Limits& limits) {
  std::vector<Json> rows;
  const bool one = many == "rows" && body.contains("row");
  if (one == body.contains(many))
    throw Error("request", many == "rows" ? "either row or rows" : "instances", one ? "both" : "neither");
  if (one) rows.push_back(body["row"]);
  if (!one && !body[many].is_array()) throw Error(many, "a list of rows", kind_of(body[many]));
  if (!one && body[many].size() > limits.rows)
    throw Refusal{413, many + ": expected at most " + std::to_string(limits.rows) +
                           " rows (a limit of this server; a job may have more), got " +
                           std::to_string(body[many].size())};
  if (!one) rows.assign(body[many].begin(), body[many].end());
  return rows;
}

namespace {

std::string cell_of(const Json& value, const Schema& schema, const std::string& name,
                    const std::string& place) {
  if (!value.is_null()) return text_of(place, value);
  for (const std::string& text : schema.missing_strings)
    if (schema.is_missing(text, name)) return text;
  throw Error(place, "a cell", "null");
}

// Members that are no features but limits of a row: "amount:max".
std::set<std::string> limit_columns(const std::vector<Json>& rows, const Schema& schema) {
  std::set<std::string> names;
  for (const Json& row : rows)
    if (row.is_object())
      for (const auto& [name, value] : row.items())
        if (name.find(':') != std::string::npos && !value.is_null()) names.insert(name);
  for (const Column& column : schema.columns) names.erase(column.feature.name);
  for (const std::string& other : {schema.id, schema.label.column}) names.erase(other);
  for (const std::string& ignored : schema.ignore) names.erase(ignored);
  return names;
}

}  // namespace

Table table_of(const std::vector<Json>& rows, const Schema& schema) {
  const std::set<std::string> limits = limit_columns(rows, schema);
  const std::vector<std::string> features = feature_names_of(schema);
  const bool own_id = !schema.id.empty() && std::ranges::find(features, schema.id) == features.end();
  Table table;
  table.source = "rows";
  table.columns = features;
  if (own_id) table.columns.push_back(schema.id);
  table.columns.insert(table.columns.end(), limits.begin(), limits.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    const std::string place = "rows: row " + std::to_string(i + 1);
    if (row.is_array() && row.size() != features.size())
      throw Error(place, std::to_string(features.size()) + " cells", std::to_string(row.size()));
    if (!row.is_object() && !row.is_array()) throw Error(place, "an object or a list of cells", kind_of(row));
    for (std::size_t f = 0; f < features.size(); ++f) {
      const std::string column = place + ", column '" + features[f] + "'";
      if (row.is_object() && !row.contains(features[f])) throw Error(column, "a cell", "nothing");
      table.add(cell_of(row.is_array() ? row[f] : row[features[f]], schema, features[f], column));
    }
    const bool has_id = own_id && row.is_object() && row.contains(schema.id);
    if (own_id) table.add(has_id ? cell_of(row[schema.id], schema, schema.id, place) : std::to_string(i + 1));
    for (const std::string& name : limits) {
      const bool has = row.is_object() && row.contains(name) && !row[name].is_null();
      table.add(has ? text_of(place + ", column '" + name + "'", row[name]) : "");
    }
  }
  return table;
}

}  // namespace scfe::server
