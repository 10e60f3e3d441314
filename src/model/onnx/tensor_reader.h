// TensorProto -> Tensor.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string>
#include <utility>

#include "model/onnx/element_type.h"

namespace scfe::onnx {

// Name and value of a TensorProto.
std::pair<std::string, Tensor> read_tensor(protozero::pbf_reader message);

}  // namespace scfe::onnx
