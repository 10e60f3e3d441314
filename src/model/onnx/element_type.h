// The element types of ONNX, as numbered by TensorProto.DataType, and how their bytes are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/onnx/tensor.h"

namespace scfe::onnx {

// Throws an Error for element types that are not supported.
Type type_of(std::int32_t data_type, const std::string& where);
// True for double.
inline bool is_wide(std::int32_t data_type) { return data_type == 11; }
// True for the two 16-bit float types.
inline bool is_half(std::int32_t data_type) { return data_type == 10 || data_type == 16; }

// How to read one element from raw bytes; width is 0 if the type has no raw form.
struct Encoding {
  std::size_t width;
  void (*append)(const char* from, Tensor& to);
};
Encoding encoding_of(std::int32_t data_type);

// Reads 16-bit floats: IEEE half precision, and bfloat16 (the upper half of a float).
float half(std::uint16_t bits);
float brain(std::uint16_t bits);

}  // namespace scfe::onnx
