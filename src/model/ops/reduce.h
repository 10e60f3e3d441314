// Reductions over axes.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Axes {
  std::vector<bool> reduced;  // one for each axis
  bool keep = true;           // reduced axes stay with size 1
};
Value reduce_sum(Builder& build, const Value& x, const Axes& axes, bool mean = false);
Value reduce_max(Builder& build, const Value& x, const Axes& axes, bool smallest = false);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
