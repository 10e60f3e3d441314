#include "data/schema.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/json_cursor.h"
#include "data/levels_json.h"
#include "data/number.h"
#include "scfe/error.h"
#include "scfe/rules.h"
#include "scfe/text.h"

namespace scfe {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void check_range(const Feature& f, const std::string& field) {
  for (const std::optional<double>& bound : {f.min, f.max})
    if (bound && !std::isfinite(*bound)) throw Error(field + ".range", "finite numbers", number_text(*bound));
  if (f.min && f.max && *f.min > *f.max)
    throw Error(field + ".range", "lo <= hi", number_text(*f.min) + " > " + number_text(*f.max));
  if (f.step && !(std::isfinite(*f.step) && *f.step >= 0))
    throw Error(field + ".step", "a number >= 0", number_text(*f.step));
  if (!(std::isfinite(f.weight) && f.weight > 0))
    throw Error(field + ".weight", "a number > 0", number_text(f.weight));
  if (!f.levels.empty() && (f.min || f.max || f.step))
    throw Error(field, "no range, decimals or step where there are levels", "one");
}

void check_levels(const Column& column, const std::string& field) {
  const Feature& f = column.feature;
  if (f.kind == Kind::categorical && f.levels.empty())
    throw Error(field + ".levels", "the levels of a categorical feature", "none");
  if ((f.kind == Kind::continuous || f.kind == Kind::integer) && !f.levels.empty())
    throw Error(field + ".levels", "none for a feature of numbers", std::to_string(f.levels.size()));
  if (f.kind == Kind::binary && !f.levels.empty() && f.levels.size() != 2)
    throw Error(field + ".levels", "two for a binary feature", std::to_string(f.levels.size()));
  std::set<std::string> seen;
  for (const std::string& level : f.levels) {
    if (!seen.insert(level).second)
      throw Error(field + ".levels", "distinct levels", quoted(level) + " twice");
  }
  check_level_tables(f, field);
  if (!f.levels.empty() && column.written_decimals)
    throw Error(field + ".written_decimals", "none where there are levels",
                std::to_string(*column.written_decimals));
  if (!column.other.empty() && !contains(f.levels, column.other))
    throw Error(field + ".other", "one of the levels", quoted(column.other));
  if (!column.fill) return;
  if (column.has_levels() && !contains(f.levels, *column.fill))
    throw Error(field + ".fill", "one of the levels", quoted(*column.fill));
  if (!column.has_levels() && !parse_number(*column.fill))
    throw Error(field + ".fill", "a number", quoted(*column.fill));
}

void check_label(const Label& label, const std::string& source) {
  const std::string field = source + ": label";
  if (label.column.empty()) {
    if (!label.classes.empty() || label.above) throw Error(field + ".column", "a column", "none");
    return;
  }
  if (label.classes.size() < 2)
    throw Error(field + ".classes", "two or more", std::to_string(label.classes.size()));
  if (label.above && label.classes.size() != 2)
    throw Error(field + ".classes", "two (not above, above)", std::to_string(label.classes.size()));
  if (label.above && !std::isfinite(*label.above))
    throw Error(field + ".above", "a finite number", number_text(*label.above));
  std::set<std::string> names, values;
  for (std::size_t i = 0; i < label.classes.size(); ++i) {
    const LabelClass& entry = label.classes[i];
    const std::string place = field + ".classes[" + std::to_string(i) + "]";
    if (entry.name.empty() || !names.insert(entry.name).second)
      throw Error(place + ".name", "a name of its own", quoted(entry.name));
    if (label.above) continue;
    if (entry.values.empty()) throw Error(place + ".values", "at least one", "none");
    for (const std::string& value : entry.values)
      if (!values.insert(value).second)
        throw Error(place + ".values", "values of no other class", quoted(value));
  }
}

void check_names(const Schema& schema, const std::string& source) {
  std::set<std::string> names;
  const auto claim = [&](const std::string& name, const std::string& field) {
    if (!names.insert(name).second)
      throw Error(source + ": " + field, "a column of its own", quoted(name) + ", used twice");
  };
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::string field = "features[" + std::to_string(i) + "].name";
    if (schema.columns[i].feature.name.empty()) throw Error(source + ": " + field, "a name", "''");
    claim(schema.columns[i].feature.name, field);
  }
  if (!schema.label.column.empty()) claim(schema.label.column, "label.column");
  if (!schema.id.empty()) claim(schema.id, "id");
  for (std::size_t i = 0; i < schema.ignore.size(); ++i)
    claim(schema.ignore[i], "ignore[" + std::to_string(i) + "]");
}

}  // namespace

std::optional<int> Label::class_of(std::string_view cell) const {
  const std::optional<double> value = parse_number(cell);
  if (above) return value ? std::optional<int>(*value > *above ? 1 : 0) : std::nullopt;
  for (const bool as_numbers : {false, true})
    for (std::size_t i = 0; i < classes.size(); ++i)
      for (const std::string& known : classes[i].values)
        if (as_numbers ? value && parse_number(known) == value : cell == known) return static_cast<int>(i);
  return std::nullopt;
}

int Label::find(std::string_view name) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].name == name) return static_cast<int>(i);
    known.push_back(classes[i].name);
  }
  if (const auto found = above ? std::nullopt : class_of(name)) return *found;
  throw unknown_name("", "class", name, known);
}

bool Schema::is_missing(std::string_view cell) const { return contains(missing_strings, cell); }

bool Schema::is_missing(std::string_view cell, std::string_view column) const {
  if (!is_missing(cell)) return false;
  return missing != Missing::error || std::ranges::none_of(columns, [&](const Column& c) {
           return c.feature.name == column && contains(c.feature.levels, cell);
         });
}

std::vector<std::string> Schema::own_rules() const {
  std::vector<std::string> own = rules;
  std::erase_if(own, [&](const std::string& text) {
    return std::ranges::find(learned, text, &LearnedRule::text) != learned.end();
  });
  return own;
}

std::size_t Schema::find(std::string_view feature) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].feature.name == feature) return i;
    known.push_back(columns[i].feature.name);
  }
  throw unknown_name("", "feature", feature, known);
}

void check_schema(const Schema& schema, const std::string& source) {
  if (schema.columns.empty()) throw Error(source + ": features", "at least one", "none");
  check_names(schema, source);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::string field = source + ": features" + place_in_list(i, schema.columns[i].feature.name);
    check_range(schema.columns[i].feature, field);
    check_levels(schema.columns[i], field);
  }
  check_label(schema.label, source);
  std::vector<Feature> features;
  for (const Column& column : schema.columns) features.push_back(column.feature);
  try {
    check_rules(schema.rules, features);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

std::optional<int> written_decimals(const Table& table, std::size_t column, const Schema& schema) {
  if (table.typed(column) != nullptr) return std::nullopt;  // a number in memory has no trailing zeros
  std::optional<int> all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view cell = table.cell(row, column);
    if (schema.is_missing(cell)) continue;
    const int own = written_decimals_of(cell);
    if (own == 0 || own != all.value_or(own)) return std::nullopt;
    all = own;
  }
  return all;
}

Schema with_written_decimals(Schema schema, const Table& training) {
  for (Column& column : schema.columns)
    if (!column.has_levels() && !column.written_decimals)
      column.written_decimals = written_decimals(training, training.column(column.feature.name), schema);
  return schema;
}

}  // namespace scfe
