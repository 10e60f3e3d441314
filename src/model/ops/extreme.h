// The largest of several rows (MaxPool, ReduceMax); with the signs flipped, the smallest.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// y_i = max over the rows in list i; the gradient goes to the first row that equals the maximum.
struct RowLists {
  std::vector<std::uint32_t> begin{0}, rows;
  void end_list() { begin.push_back(static_cast<std::uint32_t>(rows.size())); }
};
// `on_images`: the same operator on images, or null.
Value largest(Builder& build, const Value& x, RowLists lists, Shape shape,
              std::shared_ptr<const ImageOp> on_images = nullptr);
Value smallest(Builder& build, const Value& x, RowLists lists, Shape shape);

}  // namespace scfe::onnx::inline SCFE_PRECISION
