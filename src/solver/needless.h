// Changes that an answer does not need: taken back, it is as valid, as plausible as asked and within the
// limits. The closest answer has none; the one that a search finds may, and so may an answer that has to
// differ from others: one of those with a change beside it that does nothing.
#pragma once

#include <span>
#include <vector>

#include "actionability/instance.h"
#include "solver/search.h"
#include "terms.h"

namespace scfe {

struct NeedlessJob {
  const Wished& wished;
  double margin;  // that all rows have to reach
};

// Whether one of the changes of a row that is an answer is needless, whatever other answers there are.
bool is_padded(const NeedlessJob& job, const Instance& instance, std::span<const double> values);

// Takes needless changes back, the dearest first; found[i] belongs to instances[i].
void drop_needless(const NeedlessJob& job, std::span<const Instance> instances, std::span<Found> found);

}  // namespace scfe
