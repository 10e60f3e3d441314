// What runs: steps over buffers of rows, in order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/onnx/tensor.h"
#include "model/ops/operator.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Buffer {
  std::size_t rows = 0;
  int step = -1;       // the step that writes it; -1 for the input (buffer 0) and constants
  TensorPtr constant;  // spread over the lanes once per tape
};

struct Step {
  std::unique_ptr<Operator> op;
  std::vector<int> x;
  int y = -1;
  std::string node;   // for messages and inspection
  bool kink = false;  // a comparison that makes no jump (onnx/kinks.h)
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  int scores = -1;
  std::size_t features = 0;
};

// A value while the plan is built: rows of a buffer seen with a shape, or a constant.
struct Value {
  Shape shape;
  Type type = Type::real;
  int buffer = -1;
  TensorPtr constant;
  std::vector<std::uint32_t> origin;  // text that depends on the input: the feature behind each row
  std::size_t rows() const { return elements(shape); }
};

// Steps whose result nobody reads are dropped.
void prune(Plan& plan);
// Neighbouring steps that make one cheaper step are merged: batch norms and scalers into the linear map
// beside them, linear maps without an activation between them into one. True if any were; the steps they
// leave behind want pruning before the next round.
bool fuse(Plan& plan);
// The slope of a ReLU becomes part of the backward pass of the step after it. Last, on the finished plan.
void share_gates(Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
