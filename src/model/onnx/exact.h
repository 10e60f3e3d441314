// The integers that a plan computes without rounding: those that a Real represents exactly.
#pragma once

#include <cstdint>

#include "model/onnx/real.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// All integers up to this size are exact, and so are sums and products that stay within it.
inline constexpr std::int64_t max_exact = std::int64_t{1} << (is_double ? 53 : 24);
constexpr bool is_exact(std::int64_t value) { return value >= -max_exact && value <= max_exact; }

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
