// Hard decisions inside a model: ArgMax, comparisons, roundings, trees on numbers that were computed before.
// There the last bits decide, and the scores jump. A comparison of the inputs themselves is exact everywhere.
#pragma once

#include "model/onnx/plan.h"
#include "model/stepped.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Of each input of the model; empty where no such decision is taken.
std::vector<InputUse> uses_before_steps(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
