// Elementwise activations of the kernel catalogue (model/activation.h holds the formulas).
#pragma once

#include "kernel/activation.h"
#include "model/onnx/builder.h"

namespace scfe::onnx {

Value activate(Builder& build, const Value& x, kernel::ActivationKind kind, float parameter = 0);

}  // namespace scfe::onnx
