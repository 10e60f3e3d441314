// The largest of several rows: MaxPool, ReduceMax; with signs turned, the smallest.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// y_i = max over the rows listed for it; the gradient goes to the first that reaches it.
struct RowLists {
  std::vector<std::uint32_t> begin{0}, rows;
  void end_list() { begin.push_back(static_cast<std::uint32_t>(rows.size())); }
};
// `on_images`: the same on images, where there is such a form.
Value largest(Builder& build, const Value& x, RowLists lists, Shape shape,
              std::shared_ptr<const ImageOp> on_images = nullptr);
Value smallest(Builder& build, const Value& x, RowLists lists, Shape shape);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
