// The loops that operators share, in the plan's precision: those of src/kernel for float, plain C++ for
// double.
#pragma once

#include "model/ops/operator.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// y = f(W x + b); the fields are those of kernel::Linear.
struct Linear {
  std::size_t out, in;
  const Real* weight;        // [out][in]
  const Real* bias;          // [out], or null
  const std::int32_t* rows;  // the rows of x to read, -1 for zeros; null means 0, 1, ... in order
  Epilogue epilogue = {};
  Const gate = {};  // [out]: y becomes 0 where the gate is not positive; null: no gate
};
void multiply(const Linear& map, Const x, Mutable y, std::size_t lanes);

// y = f(x) and dx = dy f'(x), for `count` contiguous values.
void apply(Epilogue f, const Real* x, Real* y, std::size_t count);
void apply_slope(Epilogue f, const Real* x, const Real* dy, Real* dx, std::size_t count);

}  // namespace scfe::onnx::inline SCFE_PRECISION
