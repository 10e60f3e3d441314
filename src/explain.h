// x_f -> x_cf for rows of one wished class: sets up the instances, runs the solver that fits, and turns
// what it found into explanations.
#pragma once

#include <optional>
#include <span>

#include "scfe/explanation.h"
#include "scfe/matrix.h"
#include "scfe/row_limits.h"
#include "solve.h"

namespace scfe {

struct RowsOfTarget {
  const Matrix& factuals;
  std::span<const std::size_t> index;  // which of them
  int target;
  std::span<const RowLimits> limits = {};  // of each factual; empty: none
};
// explanations[i] for every i of the index.
void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<Explanation> explanations);

}  // namespace scfe
