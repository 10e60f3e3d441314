// The integers that a plan computes without rounding: those that a Real holds.
#pragma once

#include <cstdint>

#include "model/onnx/real.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Integers up to here are all held, and so are their sums and products up to here.
inline constexpr std::int64_t max_exact = std::int64_t{1} << (is_double ? 53 : 24);
constexpr bool is_exact(std::int64_t value) { return value >= -max_exact && value <= max_exact; }

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
