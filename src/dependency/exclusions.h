// Pairs of events of two columns that never or hardly ever occur together (scfe/learned_rules.h).
#pragma once

#include <cstddef>
#include <vector>

#include "dependency/chance.h"
#include "dependency/column.h"

namespace scfe {

struct Exclusion {
  Event a, b;  // of the first and of the second column
  std::size_t together, rows;
  double expected, log_probability;
};

struct Exclusions {
  std::vector<Exclusion> found;  // before the correction for the number of tests
  std::size_t tests = 0;
};

// A tail is compared with levels alone: where two columns of numbers are correlated, some corner is always
// empty.
Exclusions exclusions_between(const CellColumn& a, const CellColumn& b, const Chance& chance);

// Drops those within another one: a smaller tail, or a value within a tail.
std::vector<Exclusion> largest_of(std::vector<Exclusion> found);

}  // namespace scfe
