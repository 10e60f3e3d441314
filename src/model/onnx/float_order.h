// The floating-point numbers in their order: the next one, and where in a range a condition changes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

#include "model/onnx/real.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

inline constexpr Real largest_number = std::numeric_limits<Real>::max();

// Maps floating-point numbers to integers so that their order stays the same.
inline std::int64_t place(Real x) {
  using Pattern = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  const auto size = static_cast<std::int64_t>(std::bit_cast<Pattern>(std::abs(x)));
  return std::signbit(x) ? -size : size;
}
inline Real at_place(std::int64_t index) {
  using Pattern = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  const Real size = std::bit_cast<Real>(static_cast<Pattern>(index >= 0 ? index : -index));
  return index >= 0 ? size : -size;
}
inline Real next_number(Real x) { return x < largest_number ? at_place(place(x) + 1) : x; }

// Where a condition on the input changes within from .. last: the last input that has the same side as
// `from`. The condition changes at most once there; nullopt if it does not.
template <class Condition>
std::optional<Real> last_before_change(Real from, Real last, Condition holds) {
  std::int64_t low = place(from), high = place(last);
  const bool first = holds(from);
  if (holds(last) == first) return std::nullopt;
  while (low + 1 < high) {
    const std::int64_t middle = std::midpoint(low, high);
    (holds(at_place(middle)) == first ? low : high) = middle;
  }
  return at_place(low);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
