// Hard decisions inside a model: ArgMax, comparisons, roundings, trees on numbers that were computed before.
// There the last bits decide, and the scores jump. A comparison of the inputs themselves is exact everywhere.
#pragma once

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

bool has_steps(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
