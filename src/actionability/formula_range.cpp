#include "actionability/formula_range.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scfe {
namespace {

using Op = Expression::Op;

constexpr Interval everything{-INFINITY, INFINITY};

// An end that is NaN (0 times infinity) is replaced by infinity.
Interval outwards(double lo, double hi) {
  if (std::isnan(lo) || std::isnan(hi)) return everything;
  return {std::nextafter(lo, -INFINITY), std::nextafter(hi, INFINITY)};
}

Interval apply(Op op, const Interval& a, const Interval& b) {
  if (op == Op::add) return outwards(a.lo + b.lo, a.hi + b.hi);
  if (op == Op::subtract) return outwards(a.lo - b.hi, a.hi - b.lo);
  if (op == Op::divide && b.lo <= 0 && b.hi >= 0) return everything;
  std::array<double, 4> corners{};
  std::size_t at = 0;
  for (const double x : {a.lo, a.hi})
    for (const double y : {b.lo, b.hi}) corners[at++] = op == Op::multiply ? x * y : x / y;
  if (std::ranges::any_of(corners, [](double corner) { return std::isnan(corner); })) return everything;
  const auto [least, most] = std::ranges::minmax(corners);
  return outwards(least, most);
}

// The values of a map over all whole numbers of the interval; everything if it has no value for one of them.
Interval map_range(const Expression& formula, const Interval& keys) {
  const double first = std::round(keys.lo), last = std::round(keys.hi);
  if (!(last - first < static_cast<double>(formula.table.size()))) return everything;
  Interval range{INFINITY, -INFINITY};
  for (double key = first; key <= last; ++key) {
    const double value = formula.mapped(key);
    if (std::isnan(value)) return everything;
    range = {std::min(range.lo, value), std::max(range.hi, value)};
  }
  return range;
}

}  // namespace

Interval formula_range(const Expression& formula, std::span<const Interval> features) {
  std::array<Interval, Expression::max_depth> stack;
  std::size_t top = 0;
  for (const Expression::Step& step : formula.steps) {
    if (step.op == Op::number) {
      stack[top++] = {step.number, step.number};
    } else if (step.op == Op::feature) {
      stack[top++] = features[step.feature];
    } else if (step.op == Op::negate) {
      stack[top - 1] = {-stack[top - 1].hi, -stack[top - 1].lo};
    } else if (step.op == Op::map) {
      stack[top - 1] = map_range(formula, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace scfe
