// The executable form of a model: a list of steps, each of which reads and writes buffers of rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/onnx/tensor.h"
#include "model/ops/operator.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// The index of a step or a buffer; the plan keeps them as int, because -1 means none.
inline std::size_t id(int index) { return static_cast<std::size_t>(index); }

struct Buffer {
  std::size_t rows = 0;
  int step = -1;       // the step that writes it; -1 for the input (buffer 0) and constants
  TensorPtr constant;  // copied to all lanes once per tape
};

struct Step {
  std::unique_ptr<Operator> op;
  std::vector<int> x;
  int y = -1;
  std::string node;   // for messages and inspection
  bool kink = false;  // a comparison without a jump (onnx/kinks.h)
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  int scores = -1;
  std::size_t features = 0;
};

// A value while the plan is built: either a constant, or the rows of a buffer with a shape.
struct Value {
  Shape shape;
  Type type = Type::real;
  int buffer = -1;
  TensorPtr constant;
  std::vector<std::uint32_t> origin;  // only for text that depends on the input: the feature of each row
  bool centred = false;               // a probability less 1/2, which decides like its log-odds
  bool single = false;  // of a file in double: ONNX Runtime computes with it in single precision
  std::size_t rows() const { return elements(shape); }
};
inline Value as_real(Value x) {
  x.type = Type::real;
  return x;
}

// Removes steps whose result nothing reads.
void prune(Plan& plan);
// Merges neighbouring steps if the merged step is cheaper: batch norms and scalers into the linear map
// beside them, linear maps without an activation between them into one. Returns true if it merged any; then
// the replaced steps must be pruned before the next round.
bool fuse(Plan& plan);
// Lets the backward pass of the step after a ReLU multiply by its slope. Call it last, on the finished plan.
void share_gates(Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
