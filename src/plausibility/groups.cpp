#include "plausibility/groups.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scfe/error.h"

namespace scfe {

Columns::Columns(const std::vector<int>& group, std::size_t columns) {
  std::vector<int> numbers;
  for (std::size_t j = 0; j < columns; ++j) {
    if (group.empty() || group[j] < 0) {
      numeric.push_back(static_cast<int>(j));
      continue;
    }
    const auto found = std::ranges::find(numbers, group[j]);
    const auto place = static_cast<std::size_t>(found - numbers.begin());
    if (found == numbers.end()) {
      numbers.push_back(group[j]);
      groups.emplace_back();
    }
    groups[place].push_back(static_cast<int>(j));
  }
}

void check_groups(const Matrix& rows, const std::vector<int>& group) {
  if (group.empty()) return;
  if (group.size() != rows.cols)
    throw Error("group", std::to_string(rows.cols) + " columns", std::to_string(group.size()));
  for (const std::vector<int>& columns : Columns(group, rows.cols).groups) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const auto at = [&](double value) {
        return std::ranges::count_if(columns, [&](int j) { return rows[i][j] == value; });
      };
      if (at(1) == 1 && at(0) + 1 == std::ssize(columns)) continue;
      throw Error("rows[" + std::to_string(i) + "], group " + std::to_string(group[columns[0]]),
                  "one level at 1 and the others at 0", std::to_string(at(1)) + " at 1");
    }
  }
}

MixedRows::MixedRows(const Matrix& rows, const Columns& columns_)
    : numeric(rows.rows, columns_.numeric.size()), groups(columns_.groups.size()), columns(rows.cols) {
  levels.reserve(rows.rows * groups);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < numeric.cols; ++j) numeric[i][j] = rows[i][columns_.numeric[j]];
    for (const std::vector<int>& group : columns_.groups)
      levels.push_back(*std::ranges::find_if(group, [&](int j) { return rows[i][j] == 1; }));
  }
}

Matrix MixedRows::matrix(const std::vector<int>& group) const {
  Matrix all(size(), columns);
  const Columns places(group, columns);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < numeric.cols; ++j) all[i][places.numeric[j]] = numeric[i][j];
    for (std::size_t g = 0; g < groups; ++g) all[i][levels_of(i)[g]] = 1;
  }
  return all;
}

bool MixedRows::alike() const {
  for (std::size_t i = 1; i < size(); ++i)
    if (!std::ranges::equal(numeric[i], numeric[0]) ||
        !std::equal(levels_of(i), levels_of(i) + groups, levels_of(0)))
      return false;
  return true;
}

std::size_t MixedRows::distinct(std::size_t enough) const {
  std::set<std::pair<std::vector<double>, std::vector<int>>> seen;
  for (std::size_t i = 0; i < size() && seen.size() < enough; ++i)
    seen.emplace(std::vector<double>(numeric[i].begin(), numeric[i].end()),
                 std::vector<int>(levels_of(i), levels_of(i) + groups));
  return seen.size();
}

MixedRows MixedRows::some(const std::vector<std::size_t>& rows) const {
  MixedRows part;
  part.groups = groups;
  part.columns = columns;
  part.numeric = Matrix(rows.size(), numeric.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(numeric[rows[i]], part.numeric[i].begin());
    part.levels.insert(part.levels.end(), levels_of(rows[i]), levels_of(rows[i]) + groups);
  }
  return part;
}

}  // namespace scfe
