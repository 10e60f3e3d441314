// Matrix products, batched and broadcast as numpy.matmul; a constant side becomes a Dense step.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

Value matmul(Builder& build, const Value& a, const Value& b, const std::string& where);

}
}  // namespace scfe::onnx
