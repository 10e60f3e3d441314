// Elementwise activations of the kernel catalogue (model/network/activation.h holds the formulas).
#pragma once

#include <optional>

#include "kernel/activation.h"
#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// The activation, if the operator does nothing but apply one to each row.
std::optional<Epilogue> activation_of(const Operator& op);
Value activate(Builder& build, const Value& x, kernel::ActivationKind kind, Real parameter = 0);

}  // namespace scfe::onnx::inline SCFE_PRECISION
