// Rows of numbers and categories in the work space: random, or read from a table.
#pragma once

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "scfe/table.h"
#include "tests/plausibility/samples.h"

namespace scfe::test {

struct Mixed {
  Matrix rows;
  std::vector<int> group;
};

// Three clusters that differ in three numbers and in categories of 3, 2 and 4 levels. Number and category
// columns alternate, so that nothing may rely on their order.
inline Mixed mixed_clusters(std::size_t rows, std::uint64_t seed) {
  const std::vector<int> group = {-1, 7, 7, 7, -1, 2, 2, 5, 5, 5, 5, -1};
  Random random(seed);
  Matrix table(rows, group.size());
  const auto level = [&](std::size_t row, std::size_t first, std::size_t levels, std::size_t likely) {
    table[row][first + (random.uniform() < 0.7 ? likely % levels : random.index(levels))] = 1;
  };
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t kind = random.index(3);
    const auto place = 0.25 + 0.2 * static_cast<double>(kind);
    table[i][0] = place + 0.06 * normal(random);
    table[i][4] = 0.8 - place + 0.08 * normal(random);
    table[i][11] = 0.5 + 0.1 * normal(random);
    level(i, 1, 3, kind);
    level(i, 5, 2, kind);
    level(i, 7, 4, kind + 1);
  }
  return {table, group};
}

inline std::vector<Case> awkward_mixed_classes() {
  const Mixed plain = mixed_clusters(60, 3);
  const auto first = [&](std::size_t rows) {
    Matrix some(rows, plain.rows.cols);
    std::copy_n(plain.rows.values.begin(), some.values.size(), some.values.begin());
    return some;
  };
  Matrix constant = plain.rows, copies = plain.rows, alike = first(6), atom = plain.rows, categories(60, 6);
  for (std::size_t i = 0; i < 60; ++i) {
    std::ranges::copy(plain.rows[i % 4], copies[i].begin());
    std::ranges::copy(plain.rows[0].subspan(5, 6), constant[i].begin() + 5);
    atom[i][0] = i % 6 == 0 ? atom[i][0] : 0;
    std::ranges::copy(plain.rows[i].subspan(5, 6), categories[i].begin());
  }
  for (std::size_t i = 0; i < 6; ++i) std::ranges::copy(plain.rows[0], alike[i].begin());
  Matrix one_level(30, 2), same_categories(5, 6);
  for (std::size_t i = 0; i < 30; ++i) one_level[i][0] = plain.rows[i][0], one_level[i][1] = 1;
  for (std::size_t i = 0; i < 5; ++i) same_categories[i][0] = same_categories[i][3] = 1;
  return {{"one level seen", constant, plain.group},
          {"copies", copies, plain.group},
          {"alike with categories", alike, plain.group},
          {"an atom", atom, plain.group},
          {"one row with categories", first(1), plain.group},
          {"two rows with categories", first(2), plain.group},
          {"categories alone", categories, {0, 0, 1, 1, 1, 1}},
          {"the same categories", same_categories, {0, 0, 1, 1, 1, 1}},
          {"a category of one level", one_level, {-1, 0}}};
}

inline bool is_number(std::string_view cell, double& value) {
  const auto [end, failed] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return failed == std::errc() && end == cell.data() + cell.size();
}

// Reads rows whose last cell is `target`, without the columns in `without`: numbers in units of their range
// over all rows, other cells as one-hot levels.
inline Mixed read_mixed(const std::string& path, std::string_view target,
                        const std::set<std::string>& without = {}) {
  const Table table = read_csv(path);
  const std::size_t label = table.columns.size() - 1;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (table.cell(i, label) == target) kept.push_back(i);
  std::vector<std::vector<double>> columns;
  Mixed mixed;
  for (std::size_t c = 0; c < label; ++c) {
    if (without.contains(table.columns[c])) continue;
    std::set<std::string> levels;
    double value = 0, least = 1e300, most = -1e300;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (!is_number(table.cell(i, c), value)) levels.emplace(table.cell(i, c));
      least = std::min(least, value), most = std::max(most, value);
    }
    if (levels.empty()) levels.emplace();
    for (const std::string& level : levels) {
      columns.emplace_back();
      mixed.group.push_back(level.empty() ? -1 : static_cast<int>(c));
      for (const std::size_t i : kept) {
        const bool number = level.empty() && is_number(table.cell(i, c), value);
        columns.back().push_back(number ? (value - least) / (most - least) : table.cell(i, c) == level);
      }
    }
  }
  mixed.rows = Matrix(kept.size(), columns.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) mixed.rows[i][j] = columns[j][i];
  return mixed;
}

inline Matrix some_rows(const Matrix& rows, std::span<const std::size_t> which) {
  Matrix some(which.size(), rows.cols);
  for (std::size_t i = 0; i < which.size(); ++i) std::ranges::copy(rows[which[i]], some[i].begin());
  return some;
}

// The share of `fresh` rows below the rho-floor of the fitted density.
inline double share_below(const FittedDensity& fitted, const Matrix& fresh, double rho) {
  const Evaluated found = evaluate(*fitted.density, rounded(fresh), anchors_of(*fitted.density, fresh));
  const double floor = floor_at(fitted, rho);
  const auto below = std::ranges::count_if(found.value, [&](double v) { return v < floor; });
  return static_cast<double>(below) / static_cast<double>(fresh.rows);
}

}  // namespace scfe::test
