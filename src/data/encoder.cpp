#include "scfe/encoder.h"

#include <algorithm>
#include <cmath>

#include "data/number.h"
#include "data/utf8.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

bool is_group(const Column& column) { return column.feature.is_one_hot(); }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Describes the cells that the feature expects, for error messages.
std::string expected_cell(const Column& column) {
  if (column.feature.kind == Kind::continuous) return "a finite number";
  return column.feature.kind == Kind::binary ? "0 or 1" : "a whole number";
}

}  // namespace

Encoder::Encoder(Schema schema) : schema_(std::move(schema)) {
  check_schema(schema_, "schema");
  for (const Column& column : schema_.columns) {
    inputs_ += column.feature.width();
    auto& places = places_.emplace_back();
    for (const std::string& level : column.feature.levels)
      places.emplace(level, static_cast<double>(places.size()));
  }
}

std::vector<std::string> Encoder::input_names() const {
  std::vector<std::string> names;
  for (const Column& column : schema_.columns) {
    if (!is_group(column)) names.push_back(column.feature.name);
    if (is_group(column))
      for (const std::string& level : column.feature.levels)
        names.push_back(column.feature.name + "=" + level);
  }
  return names;
}

std::vector<Feature> Encoder::features() const {
  std::vector<Feature> features;
  for (const Column& column : schema_.columns) {
    Feature& feature = features.emplace_back(column.feature);
    if (!column.has_levels() || feature.is_category()) continue;
    feature.min = 0;
    feature.max = static_cast<double>(feature.levels.size() - 1);
    feature.step = 1;
  }
  return features;
}

bool Encoder::knows(std::string_view name) const {
  const auto is = [&](const Column& column) { return column.feature.name == name; };
  return name == schema_.label.column || name == schema_.id || std::ranges::any_of(schema_.columns, is) ||
         std::ranges::find(schema_.ignore, name) != schema_.ignore.end();
}

std::vector<std::string> Encoder::warnings(const Table& table) const {
  // True for columns with limits of single rows. row_limits() reports limits of unknown features.
  const auto limits_rows = [](const std::string& name) {
    return name.ends_with(":min") || name.ends_with(":max") || name.ends_with(":fixed");
  };
  std::vector<std::string> lines;
  for (const std::string& name : table.columns)
    if (!knows(name) && !limits_rows(name))
      lines.push_back(table.source + ": column " + quoted(name) + " is not used");
  return lines;
}

// The table column of each feature. Searches start after the previous hit: columns are mostly in order.
std::vector<std::size_t> Encoder::positions(const Table& table) const {
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for (const Column& column : schema_.columns) {
    const bool in_order = next < table.columns.size() && table.columns[next] == column.feature.name;
    found.push_back(in_order ? next : table.column(column.feature.name));
    next = found.back() + 1;
  }
  return found;
}

std::optional<double> Encoder::value_of(std::size_t feature, std::string_view cell) const {
  const Column& column = schema_.columns[feature];
  if (column.has_levels()) {
    auto found = places_[feature].find(cell);
    if (found == places_[feature].end())
      if (const auto number = parse_number(cell)) found = places_[feature].find(number_text(*number));
    if (found == places_[feature].end()) found = places_[feature].find(column.other);
    return found == places_[feature].end() ? std::nullopt : std::optional<double>(found->second);
  }
  const std::optional<double> value = parse_number(cell);
  if (!value || column.feature.kind == Kind::continuous) return value;
  const bool fits =
      column.feature.kind == Kind::binary ? *value == 0 || *value == 1 : *value == std::round(*value);
  return fits ? value : std::nullopt;
}

double Encoder::checked_value(const Table& table, std::size_t row, std::size_t position,
                              std::size_t feature) const {
  const std::string_view cell = table.cell(row, position);
  if (const auto value = value_of(feature, cell)) return *value;
  const Column& column = schema_.columns[feature];
  const std::string place = table.place(row, column.feature.name);
  require_utf8(cell, place);
  if (column.has_levels()) throw unknown_name(place, "level", cell, column.feature.levels);
  throw Error(place, expected_cell(column), quoted(cell));
}

// Returns false if the row must be dropped.
bool Encoder::encode_row(const Table& table, std::size_t row, std::span<const std::size_t> position,
                         std::span<double> inputs, std::vector<Gap>& gaps) const {
  std::size_t input = 0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Column& column = schema_.columns[i];
    double value = 0;
    if (!schema_.is_missing(table.cell(row, position[i]))) {
      value = checked_value(table, row, position[i], i);
    } else {
      gaps.push_back({row, i});
      if (schema_.missing == Missing::drop) return false;
      if (schema_.missing == Missing::error || !column.fill)
        throw Error(table.place(row, column.feature.name),
                    schema_.missing == Missing::error
                        ? "a value (policy for missing ones: error; drop and impute are others)"
                        : "a value (the schema has no fill for it)",
                    quoted(table.cell(row, position[i])));
      value = *value_of(i, *column.fill);
    }
    if (!is_group(column)) {
      inputs[input++] = value;
      continue;
    }
    std::fill_n(inputs.begin() + static_cast<std::ptrdiff_t>(input), column.feature.width(), 0.0);
    inputs[input + static_cast<std::size_t>(value)] = 1;
    input += column.feature.width();
  }
  return true;
}

Encoded Encoder::encode_rows(const Table& table, bool labelled) const {
  const std::vector<std::size_t> position = positions(table);
  const std::string& label = schema_.label.column;
  const std::size_t label_position = labelled ? table.column(label) : 0;
  Encoded encoded;
  encoded.inputs = Matrix(table.rows(), inputs_);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t kept = encoded.rows.size();
    if (!encode_row(table, row, position, encoded.inputs[kept], encoded.gaps)) continue;
    if (labelled) {
      const std::string_view cell = table.cell(row, label_position);
      const bool missing = schema_.is_missing(cell);
      if (missing && schema_.missing != Missing::error) continue;
      const std::optional<int> found = missing ? std::nullopt : schema_.label.class_of(cell);
      if (!found) {
        require_utf8(cell, table.place(row, label));
        std::vector<std::string> known;
        for (const LabelClass& c : schema_.label.classes)
          known.insert(known.end(), c.values.begin(), c.values.end());
        throw Error(table.place(row, label), schema_.label.above ? "a number" : "one of " + join(known, ", "),
                    quoted(cell));
      }
      encoded.labels.push_back(*found);
    }
    encoded.rows.push_back(row);
  }
  encoded.inputs.rows = encoded.rows.size();
  encoded.inputs.values.resize(encoded.inputs.rows * inputs_);
  return encoded;
}

Encoded Encoder::encode(const Table& table) const { return encode_rows(table, false); }

Encoded Encoder::encode_labelled(const Table& table) const {
  if (schema_.label.column.empty())
    throw Error(table.source + ": label", "a label column in the schema", "none");
  return encode_rows(table, true);
}

std::vector<double> Encoder::values(std::span<const double> inputs) const {
  if (inputs.size() != inputs_)
    throw Error("model inputs", std::to_string(inputs_), std::to_string(inputs.size()));
  std::vector<double> values;
  for (const Column& column : schema_.columns) {
    const auto group = inputs.first(column.feature.width());
    inputs = inputs.subspan(column.feature.width());
    if (!is_group(column)) {
      values.push_back(group[0]);
      continue;
    }
    const auto on = std::count(group.begin(), group.end(), 1.0),
               off = std::count(group.begin(), group.end(), 0.0);
    if (on != 1 || on + off != static_cast<std::ptrdiff_t>(group.size()))
      throw Error("feature " + quoted(column.feature.name), "exactly one level on",
                  std::to_string(on) + " of " + std::to_string(group.size()));
    values.push_back(static_cast<double>(std::find(group.begin(), group.end(), 1.0) - group.begin()));
  }
  return values;
}

std::string Encoder::text(std::size_t feature, double value) const {
  const Column& column = schema_.columns[feature];
  if (column.has_levels()) {
    const bool fits =
        value >= 0 && value < static_cast<double>(column.feature.levels.size()) && value == std::floor(value);
    if (!fits)
      throw Error("feature " + quoted(column.feature.name),
                  "a level from 0 to " + std::to_string(column.feature.levels.size() - 1),
                  number_text(value));
    return column.feature.levels[static_cast<std::size_t>(value)];
  }
  const double step = column.feature.step.value_or(0);
  const std::optional<int> decimals = step > 0 ? decimals_of_step(step) : std::nullopt;
  const auto written = [&](std::string number) {
    return padded(std::move(number), column.written_decimals.value_or(0));
  };
  if (!decimals) return written(number_text(value));
  std::string rounded = number_text(value, *decimals);
  // A factual value may have more digits than its column's step; then it is written unrounded.
  const bool on_grid = std::abs(*parse_number(rounded) - value) <= 1e-12 * std::max(1.0, std::abs(value));
  return written(on_grid ? rounded : number_text(value));
}

std::vector<std::string> Encoder::decode(std::span<const double> inputs) const {
  const std::vector<double> value = values(inputs);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < value.size(); ++i) cells.push_back(text(i, value[i]));
  return cells;
}

std::vector<std::string> Encoder::decode(std::span<const double> inputs, const Table& table,
                                         std::size_t row) const {
  const std::vector<double> value = values(inputs);
  const std::vector<std::size_t> position = positions(table);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string_view cell = table.cell(row, position[i]);
    const bool same = !schema_.is_missing(cell) && value_of(i, cell) == value[i];
    cells.push_back(same ? std::string(cell) : text(i, value[i]));
  }
  return cells;
}

}  // namespace scfe
