// Which columns are numbers and which belong to a category.
//
// A category has one column for each level; exactly one is 1 and the others are 0 (one-hot). `group` holds
// for each column the index of its category, or -1 for a number. Empty: all columns are numbers.
#pragma once

#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct Columns {
  std::vector<int> numeric;
  std::vector<std::vector<int>> groups;  // the columns of each category, in order of first appearance

  Columns(const std::vector<int>& group, std::size_t columns);
};

// Throws if `group` does not fit the columns, or if a row does not have exactly one 1 in each group.
void check_groups(const Matrix& rows, const std::vector<int>& group);

// The rows split into numbers and, for each category, the column that is 1.
struct MixedRows {
  Matrix numeric;           // row x numeric column
  std::vector<int> levels;  // row x group
  std::size_t groups = 0, columns = 0;

  MixedRows() = default;
  MixedRows(const Matrix& rows, const Columns& columns);

  Matrix matrix(const std::vector<int>& group) const;  // one column per level again
  bool alike() const;                                  // all rows are the same
  // How many different rows there are, counted up to `enough`.
  std::size_t distinct(std::size_t enough) const;
  std::size_t size() const { return numeric.rows; }
  const int* levels_of(std::size_t row) const { return levels.data() + row * groups; }
  MixedRows some(const std::vector<std::size_t>& rows) const;
};

}  // namespace scfe
