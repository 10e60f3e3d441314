// Matrix products, batched and broadcast like numpy.matmul. With a constant operand they become a Dense step.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

Value matmul(Builder& build, const Value& a, const Value& b, const std::string& where);

}
}  // namespace scfe::onnx
