// Which outputs of the graph may hold the scores, best first.
#pragma once

#include "model/onnx/choice/trace.h"

namespace scfe::onnx {

struct Candidates {
  std::vector<Trace> scores;  // to be tried in this order
  std::vector<Trace> labels;  // what the file says itself of the class
};

// Error where several outputs may be meant.
Candidates candidates_of(const Graph& graph);

}  // namespace scfe::onnx
