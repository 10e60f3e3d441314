#include "dependency/maps.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "dependency/column.h"

namespace scfe {
namespace {

constexpr std::size_t most_values = 100;

struct Coded {
  std::vector<double> values;  // ascending
  std::vector<int> code;       // place of each row's value; -1: missing
};

// Empty if the column has more values than a map may have.
std::optional<Coded> coded(const Matrix& rows, std::size_t feature) {
  std::set<double> values;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (!std::isnan(rows[i][feature])) values.insert(rows[i][feature]);
    if (values.size() > most_values) return std::nullopt;
  }
  Coded column{{values.begin(), values.end()}, std::vector<int>(rows.rows, -1)};
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (!std::isnan(rows[i][feature]))
      column.code[i] =
          static_cast<int>(std::ranges::lower_bound(column.values, rows[i][feature]) - column.values.begin());
  return column;
}

ColumnMap map_of(const Coded& source, const Coded& target, const Chance& chance) {
  const std::size_t width = target.values.size();
  std::vector<std::size_t> count(source.values.size() * width), total(width);
  ColumnMap map{
      .source = 0, .target = 0, .value = {}, .exceptions = 0, .rows = 0, .expected = 0, .log_probability = 0};
  for (std::size_t i = 0; i < source.code.size(); ++i) {
    if (source.code[i] < 0 || target.code[i] < 0) continue;
    const auto to = static_cast<std::size_t>(target.code[i]);
    ++count[static_cast<std::size_t>(source.code[i]) * width + to];
    ++total[to];
    ++map.rows;
  }
  if (map.rows == 0) return map;
  std::size_t kept = 0;
  for (std::size_t key = 0; key < source.values.size(); ++key) {
    const auto begin = count.begin() + static_cast<std::ptrdiff_t>(key * width);
    const auto most = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(width));
    if (*most == 0) continue;
    map.value[source.values[key]] = target.values[static_cast<std::size_t>(most - begin)];
    kept += *most;
  }
  const std::size_t frequent = *std::ranges::max_element(total);
  map.exceptions = map.rows - kept;
  map.expected = static_cast<double>(map.rows - frequent);
  map.log_probability = chance.of_map(map.rows, map.exceptions, map.value.size(),
                                      static_cast<double>(frequent) / static_cast<double>(map.rows));
  return map;
}

// True if, of two columns that follow from each other, the first is the source.
bool leads(std::size_t one, std::size_t other, std::span<const Feature> features) {
  const bool first = has_levels(features[one]), second = has_levels(features[other]);
  if (first != second) return first;
  if ((features[one].kind == Kind::continuous) != (features[other].kind == Kind::continuous))
    return features[other].kind == Kind::continuous;
  return one < other;
}

}  // namespace

ColumnMaps maps_between(const Matrix& rows, std::span<const Feature> features, const Chance& chance) {
  std::vector<std::optional<Coded>> columns;
  for (std::size_t f = 0; f < features.size(); ++f) columns.push_back(coded(rows, f));
  ColumnMaps maps;
  for (std::size_t a = 0; a < features.size(); ++a)
    for (std::size_t b = 0; b < features.size(); ++b) {
      if (a == b || !columns[a] || !columns[b] || features[a].kind == Kind::continuous) continue;
      ++maps.tests;
      ColumnMap map = map_of(*columns[a], *columns[b], chance);
      map.source = a;
      map.target = b;
      if (map.expected >= least_expected &&
          static_cast<double>(map.exceptions) <= most_exceptions * map.expected)
        maps.found.push_back(std::move(map));
    }
  return maps;
}

bool is_one_to_one(const ColumnMap& map, const std::vector<ColumnMap>& maps) {
  return std::ranges::any_of(
      maps, [&](const ColumnMap& other) { return other.source == map.target && other.target == map.source; });
}

std::vector<ColumnMap> independent_maps(const std::vector<ColumnMap>& maps, std::span<const Feature> features,
                                        const std::vector<char>& free) {
  std::vector<const ColumnMap*> admitted;
  for (const ColumnMap& map : maps)
    if (free[map.target] != 0 &&
        (!is_one_to_one(map, maps) || free[map.source] == 0 || leads(map.source, map.target, features)))
      admitted.push_back(&map);
  const auto follows = [&](std::size_t feature) {
    return std::ranges::any_of(admitted, [&](const ColumnMap* map) { return map->target == feature; });
  };
  std::vector<ColumnMap> kept;
  for (std::size_t target = 0; target < features.size(); ++target) {
    const ColumnMap* best = nullptr;
    for (const ColumnMap* map : admitted)
      if (map->target == target && !follows(map->source) &&
          (best == nullptr || map->value.size() < best->value.size()))
        best = map;
    if (best != nullptr) kept.push_back(*best);
  }
  return kept;
}

}  // namespace scfe
