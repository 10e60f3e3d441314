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
  std::vector<Exclusion> found;   // before the correction for the number of tests
  std::vector<Exclusion> fewer;   // levels and values of which chance expects fewer rows than a rule needs
  std::vector<Exclusion> others;  // levels and values that do occur together
  std::size_t tests = 0;          // behind `found`
};

// A tail is compared with levels alone: where two columns of numbers are correlated, some corner is always
// empty.
Exclusions exclusions_between(const CellColumn& a, const CellColumn& b, const Chance& chance);

// The exclusions among `fewer` that have a level or a value in common with one of `accepted`: where a wife is
// neither divorced nor widowed nor single, a rare marital status needs less evidence. They are tests of their
// own, with their own correction: `tests` counts them, with those that fail. Tables of independent columns
// have none, because nothing is accepted there.
struct Beside {
  std::vector<Exclusion> found;
  std::size_t tests = 0;
};
Beside beside(const std::vector<Exclusion>& accepted, const Exclusions& all);

// Drops those within another one: a smaller tail, or a value within a tail.
std::vector<Exclusion> largest_of(std::vector<Exclusion> found);

}  // namespace scfe
