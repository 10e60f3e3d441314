// Bounds of a formula's value over intervals of its features, by interval arithmetic with outward rounding.
// They always contain the exact range. They are wider if a feature occurs twice, as in x / (x + y), and
// infinite if the formula may divide by 0.
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
