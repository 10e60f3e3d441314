#include "dependency/column.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dependency/chance.h"

namespace scfe {
namespace {

constexpr std::size_t most_levels = 1000;
constexpr double least_share_of_value = 1 / 20.;

void add_levels(std::span<const double> values, CellColumn& column) {
  std::map<double, std::size_t> count;
  for (const double value : values)
    if (!std::isnan(value)) ++count[value];
  std::erase_if(count, [](const auto& entry) { return static_cast<double>(entry.second) < least_expected; });
  if (count.size() > most_levels) return;
  std::map<double, int> code;
  for (const auto& [level, rows] : count) {
    const std::size_t cell = column.cells.size();
    code[level] = static_cast<int>(cell);
    column.cells.push_back({level, level});
    column.events.push_back({Event::Kind::level, cell, cell});
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto found = code.find(values[i]); found != code.end()) column.code[i] = found->second;
}

std::set<double> quantiles(const std::vector<double>& sorted) {
  std::set<double> cuts;
  const auto add = [&](double share) {
    cuts.insert(sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size()))]);
  };
  for (int i = 1; i < 16; ++i) add(i / 16.);
  for (int parts = 32; parts <= 256; parts *= 2) {
    add(1. / parts);
    add(1 - 1. / parts);
  }
  return cuts;
}

// A cell ends with each of these values.
std::set<double> ends_of_cells(const std::vector<double>& sorted, std::set<double>& frequent) {
  std::set<double> ends = quantiles(sorted);
  ends.insert(sorted.back());
  for (std::size_t i = 0; i < sorted.size();) {
    const std::size_t next = static_cast<std::size_t>(
        std::upper_bound(sorted.begin() + static_cast<std::ptrdiff_t>(i), sorted.end(), sorted[i]) -
        sorted.begin());
    if (static_cast<double>(next - i) >= least_share_of_value * static_cast<double>(sorted.size())) {
      frequent.insert(sorted[i]);
      ends.insert(sorted[i]);
      if (i > 0) ends.insert(sorted[i - 1]);
    }
    i = next;
  }
  return ends;
}

void add_numbers(std::span<const double> values, CellColumn& column) {
  std::vector<double> sorted;
  for (const double value : values)
    if (!std::isnan(value)) sorted.push_back(value);
  if (sorted.empty()) return;
  std::ranges::sort(sorted);
  std::set<double> frequent;
  const std::set<double> ends = ends_of_cells(sorted, frequent);
  const std::vector<double> hi(ends.begin(), ends.end());
  for (std::size_t cell = 0; cell < hi.size(); ++cell) {
    const auto above = cell == 0 ? sorted.begin() : std::ranges::upper_bound(sorted, hi[cell - 1]);
    column.cells.push_back({*above, hi[cell]});
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]))
      column.code[i] = static_cast<int>(std::ranges::lower_bound(hi, values[i]) - hi.begin());
  const std::size_t last = hi.size() - 1;
  for (std::size_t cell = 0; cell <= last; ++cell)
    if (frequent.contains(hi[cell])) column.events.push_back({Event::Kind::value, cell, cell});
  if (last == 0) return;
  const auto beside = [&](double end) {
    return frequent.contains(end) ? Event::Kind::others : Event::Kind::tail;
  };
  for (std::size_t cell = 0; cell < last; ++cell) {
    const bool low_end = cell == 0, high_end = cell + 1 == last;
    const bool frequent_low = low_end && frequent.contains(hi[0]);
    const bool frequent_high = high_end && frequent.contains(hi[last]);
    if (!frequent_low) column.events.push_back({high_end ? beside(hi[last]) : Event::Kind::tail, 0, cell});
    if (!frequent_high)
      column.events.push_back({low_end ? beside(hi[0]) : Event::Kind::tail, cell + 1, last});
  }
}

}  // namespace

CellColumn cells_of(const Matrix& rows, std::size_t feature, const Feature& about) {
  std::vector<double> values(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) values[i] = rows[i][feature];
  CellColumn column;
  column.code.assign(rows.rows, CellColumn::left_out);
  for (const double value : values) column.is_missing.push_back(std::isnan(value) ? 1 : 0);
  if (has_levels(about))
    add_levels(values, column);
  else
    add_numbers(values, column);
  return column;
}

}  // namespace scfe
