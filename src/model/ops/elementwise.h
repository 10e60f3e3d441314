// Values computed element by element from one or two operands, with broadcasting.
#pragma once

#include <string_view>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// dy times the slope, but 0 if dy is 0, even if the slope is infinite or NaN. That happens in the branch of a
// Where that was not taken, or before a product with 0.
inline Real passed(Real dy, Real slope) {
  const Real product = dy * slope;
  return dy == 0 ? Real{0} : product;
}

// `op` is the name of the ONNX operator.
Value unary(Builder& build, std::string_view op, const Value& x);
Value binary(Builder& build, std::string_view op, const Value& a, const Value& b, const std::string& where);
Value scalar(Builder& build, Real value);
// Rounds reals to the TensorProto.DataType that the file declares, as other runtimes do. Types with more
// digits than Real leave them unchanged.
Value as_declared(Builder& build, const Value& x, std::int32_t data_type);
// In double: x rounded to single precision.
Value as_single(Builder& build, const Value& x);
// condition != 0 ? a : b
Value where(Builder& build, const Value& condition, const Value& a, const Value& b, const std::string& site);

}  // namespace scfe::onnx::inline SCFE_PRECISION
