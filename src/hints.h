// Where nothing meets the wish: the one limit to lift so that something does, found by trying.
//
//     more changes    the fewest that work, up to two more than allowed
//     one feature     each that may not change, or only one way, set free
//     plausibility    the share that the best answer below the floor reaches
#pragma once

#include <span>
#include <vector>

#include "explain.h"

namespace scfe {

struct HintJob {
  const Setting& setting;
  const Options& options;
  const RowsOfTarget& rows;
  Deadline deadline;
  Pool& pool;
};
// To the first answer of each row of the index that is not found or below the floor; its reason names the
// best.
void add_hints(const HintJob& job, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
