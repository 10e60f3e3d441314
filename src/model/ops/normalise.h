// y = (x - mean) / sqrt(variance + epsilon) over groups of rows.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Groups are `group` consecutive rows; centred = false does not subtract the mean (RMS normalisation).
Value normalise(Builder& build, const Value& x, std::size_t group, Real epsilon, bool centred = true);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
