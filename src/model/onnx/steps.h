// Finds hard decisions inside a model: ArgMax, comparisons, roundings and trees that read computed numbers.
// The last bits of such a number can decide, and then the scores jump. Comparing an input itself is exact.
#pragma once

#include "model/onnx/plan.h"
#include "model/stepped.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// How each input of the model is used; empty if the model has no such decision.
std::vector<InputUse> uses_before_steps(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
