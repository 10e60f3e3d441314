// x_f -> x_cf for rows of one wished class: sets up the instances, runs the solver that fits, and turns
// what it found into explanations.
#pragma once

#include <optional>
#include <span>

#include "scfe/explanation.h"
#include "scfe/matrix.h"
#include "scfe/row_limits.h"
#include "plan/solve.h"

namespace scfe {

// Whether one answer is to be preferred: valid before below the floor before none; then fewer changes if
// those come first; then nearer.
bool closer(const Explanation& a, const Explanation& b, bool fewest_first);

// Less typical answers than asked for are of use only where there are no others.
void drop_below_floor(std::vector<Explanation>& list);

// The features that it changes.
std::vector<int> support_of(const Explanation& e);

struct RowsOfTarget {
  const Matrix& factuals;
  std::span<const std::size_t> index;  // which of them
  int target;
  std::span<const RowLimits> limits = {};  // of each factual; empty: none
};
// One of the rows with all that limits it.
Instance make_instance(const Setting& setting, const RowsOfTarget& rows, std::size_t row,
                       const std::optional<double>& floor);
// lists[i] gets the answers for every i of the index: one, or as many as there are of those asked for.
void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
