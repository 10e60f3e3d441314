// y = (x - mean) / sqrt(variance + epsilon) over groups of rows.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx {

// Groups are consecutive rows; centred = false leaves the mean in (RMS normalisation).
Value normalise(Builder& build, const Value& x, std::size_t group, float epsilon, bool centred = true);

}  // namespace scfe::onnx
