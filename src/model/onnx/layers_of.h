// Recognises a plan that is only a chain of linear maps and activations, and returns it as dense layers, from
// which bounds and proofs are computed. Reordered columns and scalers are linear maps too.
#pragma once

#include <vector>

#include "model/onnx/plan.h"
#include "scfe/model.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Empty if the plan has another form or is too large to examine.
std::vector<Layer> layers_of(const Plan& plan);
// The same for the part of the plan between a buffer and the scores.
std::vector<Layer> layers_from(const Plan& plan, int from);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
