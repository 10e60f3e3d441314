// TensorProto -> Tensor.
#pragma once

#include <filesystem>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <utility>

#include "model/onnx/tensor.h"

namespace scfe::onnx {

// The element types of ONNX, as numbered by TensorProto.DataType; Error for those we do not take.
Type type_of(std::int32_t data_type, const std::string& where);

// Name and value of a TensorProto.
std::pair<std::string, Tensor> read_tensor(protozero::pbf_reader message,
                                           const std::optional<std::filesystem::path>& folder);

}  // namespace scfe::onnx
