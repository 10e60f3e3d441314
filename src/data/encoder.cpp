#include "scfe/encoder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "data/number.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "scfe/utf8.h"
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

// 1 or 0 for a truth value as any tool writes it: True, true, TRUE, 1.
std::optional<double> truth_of(std::string_view cell) {
  if (const auto number = parse_number(cell)) return *number == 0 || *number == 1 ? number : std::nullopt;
  constexpr std::array<std::string_view, 2> words = {"false", "true"};
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); };
  for (std::size_t truth = 0; truth < words.size(); ++truth)
    if (std::ranges::equal(words[truth], cell, same)) return static_cast<double>(truth);
  return std::nullopt;
}

bool are_truth_values(const std::vector<std::string>& levels) {
  return levels.size() == 2 && truth_of(levels[0]) && truth_of(levels[1]) &&
         truth_of(levels[0]) != truth_of(levels[1]);
}

// True if a cell that stays as it is is written as the feature writes it, not as its table does: a frame
// holds truth values where the feature has numbers, or numbers where it has levels.
bool is_rewritten(const Column& column, const TypedColumn* typed) {
  if (typed == nullptr || typed->has_texts) return false;
  return column.has_levels() || typed->written_as == TypedColumn::Numbers::booleans;
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
  constexpr std::size_t most_named = 20;
  std::vector<std::string> lines;
  std::size_t others = 0;
  for (const std::string& name : table.columns) {
    if (knows(name) || limits_rows(name)) continue;  // row_limits() reports limits of unknown features
    if (lines.size() < most_named)
      lines.push_back(table.source + ": column " + quoted(name) + " is not used");
    else
      ++others;
  }
  if (others > 0) lines.push_back(table.source + ": " + counted(others, "other column") + " not used either");
  return lines;
}

// Throws if two or more features have no column, and names them all; Table::column has more to say about one.
void Encoder::refuse_other_tables(const Table& table) const {
  std::vector<std::string> missing;
  for (const Column& column : schema_.columns)
    if (std::ranges::find(table.columns, column.feature.name) == table.columns.end())
      missing.push_back(quoted(column.feature.name));
  if (missing.size() > 1 && table.columns.size() > 1)
    throw Error(table.source, "a column for each feature", "none for " + join(missing, ", "));
}

// The table column of each feature. Searches start after the previous hit: columns are mostly in order.
std::vector<std::size_t> Encoder::positions(const Table& table) const {
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for (const Column& column : schema_.columns) {
    const bool in_order = next < table.columns.size() && table.columns[next] == column.feature.name;
    if (!in_order && std::ranges::find(table.columns, column.feature.name) == table.columns.end())
      refuse_other_tables(table);
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
    if (found == places_[feature].end() && are_truth_values(column.feature.levels))
      found = std::ranges::find_if(
          places_[feature], [&](const auto& level) { return truth_of(level.first) == truth_of(cell); });
    if (found == places_[feature].end()) found = places_[feature].find(column.other);
    return found == places_[feature].end() ? std::nullopt : std::optional<double>(found->second);
  }
  std::optional<double> value = parse_number(cell);
  if (!value && column.feature.kind == Kind::binary) value = truth_of(cell);
  return value ? value_of(feature, *value) : std::nullopt;
}

std::optional<double> Encoder::value_of(std::size_t feature, double number) const {
  const Kind kind = schema_.columns[feature].feature.kind;
  const bool fits = std::isfinite(number) && (kind == Kind::continuous ? true
                                              : kind == Kind::binary   ? number == 0 || number == 1
                                                                       : number == std::round(number));
  return fits ? std::optional(number) : std::nullopt;
}

// True for a missing cell: a typed number that is NaN, else by the schema's strings.
bool Encoder::is_gap(const Table& table, std::size_t row, std::size_t position) const {
  if (const auto number = table.number(row, position)) return std::isnan(*number);
  const TypedColumn* typed = table.typed(position);
  return (typed != nullptr && typed->codes[row] < 0) ||
         schema_.is_missing(table.cell(row, position), table.columns[position]);
}

// The value of a cell: a typed number goes straight through, unless the feature has levels.
std::optional<double> Encoder::cell_value(const Table& table, std::size_t row, std::size_t position,
                                          std::size_t feature) const {
  const auto number = table.number(row, position);
  if (!number) return value_of(feature, table.cell(row, position));
  if (!schema_.columns[feature].has_levels()) return value_of(feature, *number);
  const auto level = value_of(feature, table.cell(row, position));
  return level ? level : value_of(feature, std::string_view(number_text(*number)));
}

double Encoder::checked_value(const Table& table, std::size_t row, std::size_t position,
                              std::size_t feature) const {
  if (const auto value = cell_value(table, row, position, feature)) return *value;
  const std::string_view cell = table.cell(row, position);
  const Column& column = schema_.columns[feature];
  const std::string place = table.place(row, column.feature.name);
  require_utf8(cell, place);
  if (column.has_levels()) throw unknown_name(place, "level", cell, column.feature.levels);
  throw Error(place, expected_cell(column), quoted(cell));
}

// Returns false if the row must be dropped.
bool Encoder::encode_row(const Table& table, std::size_t row, std::span<const std::size_t> position,
                         std::span<double> values, std::vector<Gap>& gaps) const {
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Column& column = schema_.columns[i];
    double value = 0;
    if (!is_gap(table, row, position[i])) {
      value = checked_value(table, row, position[i], i);
    } else {
      gaps.push_back({row, i});
      if (schema_.missing == Missing::drop) return false;
      if (schema_.missing == Missing::error || !column.fill)
        throw Error(
            table.place(row, column.feature.name),
            schema_.missing == Missing::error
                ? "a value (policy for missing ones: error; drop and impute are others" +
                      std::string(column.has_levels()
                                      ? ", and a level of its own where the model has one: docs/schema.md)"
                                      : ")")
                : "a value (the schema has no fill for it)",
            quoted(table.cell(row, position[i])));
      value = *value_of(i, *column.fill);
    }
    values[i] = value;
  }
  return true;
}

void Encoder::to_inputs(std::span<const double> values, std::span<double> inputs) const {
  std::size_t input = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Column& column = schema_.columns[i];
    if (!is_group(column)) {
      inputs[input++] = values[i];
      continue;
    }
    std::fill_n(inputs.begin() + static_cast<std::ptrdiff_t>(input), column.feature.width(), 0.0);
    inputs[input + static_cast<std::size_t>(values[i])] = 1;
    input += column.feature.width();
  }
}

Encoded Encoder::encode_rows(const Table& table, bool labelled, Form form) const {
  const std::vector<std::size_t> position = positions(table);
  const std::string& label = schema_.label.column;
  const std::size_t label_position = labelled ? table.column(label) : 0;
  Encoded encoded;
  Matrix& made = form == Form::inputs ? encoded.inputs : encoded.values;
  made = Matrix(table.rows(), form == Form::inputs ? inputs_ : position.size());
  std::vector<double> values(position.size());
  const auto id = std::ranges::find(table.columns, schema_.id);
  const bool named = !schema_.id.empty() && id != table.columns.end();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (named)  // it is written to JSON and HTML as it is
      require_utf8(table.cell(row, static_cast<std::size_t>(id - table.columns.begin())),
                   table.place(row, schema_.id));
    if (!encode_row(table, row, position, values, encoded.gaps)) continue;
    if (labelled) {
      const std::string_view cell = table.cell(row, label_position);
      const bool missing = is_gap(table, row, label_position);
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
    const std::span<double> to = made[encoded.rows.size()];
    if (form == Form::inputs)
      to_inputs(values, to);
    else
      std::ranges::copy(values, to.begin());
    encoded.rows.push_back(row);
  }
  made.rows = encoded.rows.size();
  made.values.resize(made.rows * made.cols);
  return encoded;
}

void Encoder::expect_label(const Table& table) const {
  if (schema_.label.column.empty())
    throw Error(table.source + ": label", "a label column in the schema", "none");
}

Encoded Encoder::encode(const Table& table) const { return encode_rows(table, false, Form::inputs); }

Encoded Encoder::encode_labelled(const Table& table) const {
  expect_label(table);
  return encode_rows(table, true, Form::inputs);
}

Encoded Encoder::encode_values(const Table& table, bool labelled) const {
  if (labelled) expect_label(table);
  return encode_rows(table, labelled, Form::values);
}

std::vector<double> Encoder::values(std::span<const double> inputs) const {
  if (inputs.size() != inputs_)
    throw Error("model inputs", std::to_string(inputs_), std::to_string(inputs.size()));
  std::vector<double> values;
  values.reserve(schema_.columns.size());
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
    const bool same = !is_rewritten(schema_.columns[i], table.typed(position[i])) &&
                      !is_gap(table, row, position[i]) && cell_value(table, row, position[i], i) == value[i];
    cells.push_back(same ? std::string(table.cell(row, position[i])) : text(i, value[i]));
  }
  return cells;
}

}  // namespace scfe
