// Recognises two classes written as (-z, z), each with a sigmoid, as skl2onnx exports a logistic regression
// in double. Since p = sigmoid(z), z alone is the score.
#pragma once

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// True if the buffer has two rows, both linear in the values before, and one is the negative of the other.
bool is_mirrored(const Plan& plan, int buffer);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
