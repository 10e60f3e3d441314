// Two classes written as (-z, z) with a sigmoid each, as skl2onnx exports a logistic regression in double:
// p = sigmoid(z), so that z alone is the score.
#pragma once

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Whether the buffer's two rows are linear in what lies before, and each is the other's negative.
bool is_mirrored(const Plan& plan, int buffer);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
