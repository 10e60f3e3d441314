// Which columns are numbers and which belong to a category.
//
// A category takes one column a level, of which exactly one is 1 and the others 0 (one-hot). `group` gives
// each column the number of its category, or -1 for a number; empty: all are numbers.
#pragma once

#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct Columns {
  std::vector<int> numeric;
  std::vector<std::vector<int>> groups;  // the columns of each category, in order of first appearance

  Columns(const std::vector<int>& group, std::size_t columns);
};

// Throws where `group` does not fit the columns, or a row has not exactly one level of a group on.
void check_groups(const Matrix& rows, const std::vector<int>& group);

// The rows taken apart: numbers, and of each category the column that is on.
struct MixedRows {
  Matrix numeric;           // row x numeric column
  std::vector<int> levels;  // row x group
  std::size_t groups = 0;

  MixedRows() = default;
  MixedRows(const Matrix& rows, const Columns& columns);

  std::size_t size() const { return numeric.rows; }
  const int* levels_of(std::size_t row) const { return levels.data() + row * groups; }
  MixedRows some(const std::vector<std::size_t>& rows) const;
};

}  // namespace scfe
