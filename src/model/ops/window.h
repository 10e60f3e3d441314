// The geometry that convolutions and pools share: which input pixel each tap of the window reads.
#pragma once

#include <vector>

#include "model/onnx/site.h"
#include "model/ops/index.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct Window {
  Shape in, out, kernel;  // spatial sizes
  std::vector<std::int64_t> stride, dilation;
  std::vector<std::int64_t> before, after;  // padding

  std::size_t taps() const { return elements(kernel); }
  // Input pixel of [output pixel][tap], -1 in the padding.
  std::vector<std::int32_t> table() const;
};

// Reads the node's attributes; `in` holds the operand's spatial sizes.
Window read_window(const Site& site, const Shape& in, const Shape& kernel);

}  // namespace scfe::onnx::inline SCFE_PRECISION
