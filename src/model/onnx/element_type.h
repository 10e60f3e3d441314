// The element types of ONNX, as numbered by TensorProto.DataType, and how their bytes are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/onnx/tensor.h"

namespace scfe::onnx {

// Error for those we do not take.
Type type_of(std::int32_t data_type, const std::string& where);
// Reals in double.
inline bool is_wide(std::int32_t data_type) { return data_type == 11; }
// Reals in 16 bits.
inline bool is_half(std::int32_t data_type) { return data_type == 10 || data_type == 16; }

// One element from raw bytes; width 0 where there is no such form.
struct Encoding {
  std::size_t width;
  void (*append)(const char* from, Tensor& to);
};
Encoding encoding_of(std::int32_t data_type);

// 16-bit floats: IEEE's, and the upper half of a float.
float half(std::uint16_t bits);
float brain(std::uint16_t bits);

}  // namespace scfe::onnx
