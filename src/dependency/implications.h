// Writes the exclusions between two columns as few implications: one line for each value of a column, with
// all that does not go with it, and values with the same line together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dependency/column.h"
#include "dependency/exclusions.h"
#include "scfe/feature.h"

namespace scfe {

struct TwoColumns {
  const Feature &a, &b;
  const CellColumn &a_cells, &b_cells;
};

struct ImplicationLine {
  std::string text;
  std::size_t broken, rows;
  double expected;
};

std::vector<ImplicationLine> implications_of(const TwoColumns& columns,
                                             std::span<const Exclusion> exclusions);

}  // namespace scfe
