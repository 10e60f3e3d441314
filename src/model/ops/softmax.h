#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Softmax, or LogSoftmax if `log`, along one axis.
Value softmax(Builder& build, const Value& x, std::size_t axis, bool log);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
