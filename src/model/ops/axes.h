// Values computed along axes: reductions, softmax and matrix products.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct Axes {
  std::vector<bool> reduced;  // one for each axis
  bool keep = true;           // reduced axes stay with size 1
};
Value reduce_sum(Builder& build, const Value& x, const Axes& axes, bool mean = false);
Value reduce_max(Builder& build, const Value& x, const Axes& axes, bool smallest = false);

// Softmax, or LogSoftmax if `log`, along one axis.
Value softmax(Builder& build, const Value& x, std::size_t axis, bool log);

// Batched and broadcast like numpy.matmul. With a constant operand it becomes a Dense step.
Value matmul(Builder& build, const Value& a, const Value& b, const std::string& where);

}  // namespace scfe::onnx::inline SCFE_PRECISION
