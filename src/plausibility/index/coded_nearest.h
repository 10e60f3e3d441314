// The k nearest rows of a point, by brute force, for rows whose categories are kept as codes: the same
// distances as plausibility/index/nearest.h on one column per level, up to rounding.
//
// Of a category, only the column of the row's level differs from what all rows share: the size of x in the
// columns of the category. So a row costs its numbers and categories, however many levels there are.
#pragma once

#include <span>
#include <vector>

#include "plausibility/groups.h"
#include "plausibility/index/nearest.h"

namespace scfe {

class CodedRows {
 public:
  // Numbers in the density's space. A level is `indicator` in its own column and 0 in those of the others.
  CodedRows(MixedRows rows, Columns columns, double indicator)
      : rows_(std::move(rows)), columns_(std::move(columns)), indicator_(indicator) {}

  std::size_t size() const { return rows_.size(); }
  const MixedRows& rows() const { return rows_; }
  const Columns& columns() const { return columns_; }

  std::vector<Neighbour> nearest(std::span<const double> x, std::size_t count, std::size_t skip,
                                 Metric metric) const;
  // One row with a column per level.
  std::vector<double> point(std::size_t row) const;

 private:
  MixedRows rows_;
  Columns columns_;
  double indicator_;
};

}  // namespace scfe
