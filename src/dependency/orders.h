// Orders of two columns of numbers that hold in every row: low <= high.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

struct ColumnOrder {
  std::size_t low, high;
  std::size_t rows;
  double expected;  // rows that chance would break
  double log_probability;
};

struct ColumnOrders {
  std::vector<ColumnOrder> found;  // before the correction for the number of tests
  std::size_t tests = 0;
};

// Columns with different units are not compared, nor those whose ranges hardly overlap: chance has to break
// the order in at least 1/20 of the rows.
ColumnOrders orders_between(const Matrix& rows, std::span<const Feature> features);

// Drops the orders that follow from two others: a <= c from a <= b and b <= c.
std::vector<ColumnOrder> without_implied(const std::vector<ColumnOrder>& orders);

}  // namespace scfe
