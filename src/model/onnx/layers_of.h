// A plan that is a chain of linear maps and activations and nothing else, as dense layers: what bounds and
// proofs look at. Moved columns and scalers are linear maps too.
#pragma once

#include <vector>

#include "model/onnx/plan.h"
#include "scfe/model.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Empty if the plan is anything else, or too large to be looked at.
std::vector<Layer> layers_of(const Plan& plan);
// The same of what lies between a buffer and the scores.
std::vector<Layer> layers_from(const Plan& plan, int from);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
