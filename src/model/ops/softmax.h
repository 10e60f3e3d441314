#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {

// Along one axis.
Value softmax(Builder& build, const Value& x, std::size_t axis, bool log);

}  // namespace scfe::onnx
