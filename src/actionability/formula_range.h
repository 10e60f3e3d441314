// All that a formula may give while its features stay within intervals: interval arithmetic, every end
// rounded outwards. Never less than that; more where a feature stands in the formula twice (x / (x + y)), and
// everything where it may divide by 0.
#pragma once

#include <span>

#include "actionability/expression.h"

namespace scfe {

struct Interval {
  double lo = 0, hi = 0;
};

// One interval per feature.
Interval formula_range(const Expression& formula, std::span<const Interval> features);

}  // namespace scfe
