// Rules between features: moves that repair a broken rule, and the limits of a polish.
#include <algorithm>
#include <cmath>

#include "solver/search/mixed.h"

namespace scfe {

// Adds moves of one more fine number that repair a rule which the state breaks.
void MixedSearch::list_repairs(std::size_t state, std::size_t f) {
  const State& from = beam_[state];
  const Axis& axis = axes_[f];
  const double x = row_->values[f];
  for (const Link& link : row_->links->links()) {
    if (link.coefficient(f) == 0 || link.excess(from.values) == 0 || !row_->links->touched(link, from.values))
      continue;
    const double value = row_->links->repair(link, f, from.values);
    if (value == x || !(value >= axis.lo && value <= axis.hi)) continue;
    moves_.push_back({state, static_cast<int>(f), value, from.cost + space_.cost(f, x, value)});
  }
  for (const Implication& rule : row_->links->implications()) {
    if (!row_->links->breaks(rule, from.values)) continue;
    for (const Links::Repair& repair : row_->links->repairs(rule, from.values))
      if (repair.feature == f && repair.value != x && repair.value >= axis.lo && repair.value <= axis.hi)
        moves_.push_back(
            {state, static_cast<int>(f), repair.value, from.cost + space_.cost(f, x, repair.value)});
  }
}

// Limits the fine numbers of a start to where its implications hold, before it is polished.
void MixedSearch::stay_within_implications(const State& start, Row& base) const {
  const Links& links = *row_->links;
  if (links.implications().empty()) return;
  for (const int feature : start.support) {
    const auto f = static_cast<std::size_t>(feature);
    if (!axes_[f].fine) continue;
    double lo = axes_[f].lo, hi = axes_[f].hi;
    links.narrow(f, start.values, lo, hi);
    const std::size_t j = space_.first(f);
    base.lo[j] = std::max(base.lo[j], space_.to_work(j, lo) - row_->factual[j]);
    base.hi[j] = std::min(base.hi[j], space_.to_work(j, hi) - row_->factual[j]);
  }
}

}  // namespace scfe
