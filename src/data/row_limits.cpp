// Columns of a query that limit single rows: amount:min, amount:max, savings:fixed, log_density:min.
#include <algorithm>
#include <array>

#include "data/number.h"
#include "scfe/encoder.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

enum class Side { min, max, fixed };
constexpr std::array<std::pair<std::string_view, Side>, 3> sides = {
    {{"min", Side::min}, {"max", Side::max}, {"fixed", Side::fixed}}};

auto side_named(std::string_view ending) {
  return std::ranges::find(sides, ending, [](const auto& side) { return side.first; });
}

constexpr std::string_view density_floor = "log_density:min";

struct LimitColumn {
  std::size_t position, feature;
  Side side;
};

std::optional<std::size_t> floor_column(const Encoder& encoder, const Table& table) {
  const auto at = std::ranges::find(table.columns, density_floor);
  const bool is_feature = std::ranges::any_of(
      encoder.schema().columns, [](const Column& c) { return c.feature.name == "log_density"; });
  if (at == table.columns.end() || is_feature || encoder.knows(*at)) return std::nullopt;
  return static_cast<std::size_t>(at - table.columns.begin());
}

// The columns that hold limits. A column of the schema is no limit even if its name contains a colon.
std::vector<LimitColumn> limit_columns(const Encoder& encoder, const Table& table) {
  const Schema& schema = encoder.schema();
  std::vector<LimitColumn> found;
  for (std::size_t position = 0; position < table.columns.size(); ++position) {
    const std::string& name = table.columns[position];
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos || encoder.knows(name)) continue;
    const std::string feature = name.substr(0, colon), ending = name.substr(colon + 1);
    const auto side = side_named(ending);
    const bool is_feature = std::ranges::any_of(
        schema.columns, [&](const Column& column) { return column.feature.name == feature; });
    if (!is_feature && (side == sides.end() || name == density_floor)) continue;
    const std::string field = table.source + ": column '" + name + "'";
    if (side == sides.end()) throw Error(field, feature + ":min, :max or :fixed", "'" + ending + "'");
    if (!is_feature) {
      std::vector<std::string> known;
      for (const Column& column : schema.columns) known.push_back(column.feature.name);
      if (!nearest_name(feature, known).empty()) throw unknown_name(field, "feature", feature, known);
      throw Error(field, "a feature in front of the colon", "'" + feature + "'");
    }
    found.push_back({position, schema.find(feature), side->second});
  }
  return found;
}

bool flag_of(const Table& table, std::size_t row, const LimitColumn& column) {
  const std::optional<double> number = table.number(row, column.position);
  if (number && (*number == 0 || *number == 1)) return *number == 1;
  const std::string_view cell = table.cell(row, column.position);
  for (const std::string_view yes : {"1", "true", "yes"})
    if (cell == yes) return true;
  for (const std::string_view no : {"0", "false", "no"})
    if (cell == no) return false;
  throw Error(table.place(row, table.columns[column.position]), "1, true, yes, 0, false, no or nothing",
              "'" + std::string(cell) + "'");
}

void read_cell(const Encoder& encoder, const Table& table, std::size_t row, const LimitColumn& column,
               RowLimits& limits) {
  const std::string_view cell = table.cell(row, column.position);
  if (cell.empty()) return;
  FeatureLimit limit{.feature = column.feature};
  const std::string place = table.place(row, table.columns[column.position]);
  if (column.side == Side::fixed) {
    limit.fixed = flag_of(table, row, column);
  } else {
    const Column& limited = encoder.schema().columns[column.feature];
    if (limited.feature.is_category())
      throw Error(place, "nothing: levels have no range", "'" + std::string(cell) + "'");
    const auto number = limited.has_levels() ? std::nullopt : table.number(row, column.position);
    const std::optional<double> value =
        number ? encoder.value_of(column.feature, *number) : encoder.value_of(column.feature, cell);
    if (!value)
      throw Error(place, limited.has_levels() ? "one of " + join(limited.feature.levels, ", ") : "a number",
                  "'" + std::string(cell) + "'");
    (column.side == Side::min ? limit.min : limit.max) = value;
  }
  limits.features.push_back(limit);
}

void read_floor(const Table& table, std::size_t row, std::size_t column, RowLimits& limits) {
  const std::string_view cell = table.cell(row, column);
  if (cell.empty()) return;
  const auto number = table.number(row, column);
  limits.log_density = number ? number : parse_number(cell);
  if (!limits.log_density)
    throw Error(table.place(row, table.columns[column]), "a number", "'" + std::string(cell) + "'");
}

// Contradictory limits are reported as an input error; they do not mean that nothing may change.
void check_sides(const Encoder& encoder, const Table& table, std::size_t row, const RowLimits& limits) {
  for (const FeatureLimit& low : limits.features)
    for (const FeatureLimit& high : limits.features) {
      if (low.feature != high.feature || !low.min || !high.max || *low.min <= *high.max) continue;
      const std::string& name = encoder.schema().columns[low.feature].feature.name;
      throw Error(table.place(row, name + ":min"),
                  "no more than " + encoder.text(high.feature, *high.max) + ", its " + name + ":max",
                  encoder.text(low.feature, *low.min));
    }
}

}  // namespace

bool Encoder::limits_rows(std::string_view column) {
  const std::size_t colon = column.rfind(':');
  return colon != std::string_view::npos && side_named(column.substr(colon + 1)) != sides.end();
}

std::vector<RowLimits> Encoder::row_limits(const Table& table, std::span<const std::size_t> rows) const {
  const std::vector<LimitColumn> columns = limit_columns(*this, table);
  const std::optional<std::size_t> floor = floor_column(*this, table);
  if (columns.empty() && !floor) return {};
  std::vector<RowLimits> limits(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const LimitColumn& column : columns) read_cell(*this, table, rows[i], column, limits[i]);
    check_sides(*this, table, rows[i], limits[i]);
    if (floor) read_floor(table, rows[i], *floor, limits[i]);
  }
  return limits;
}

}  // namespace scfe
