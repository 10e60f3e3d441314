// Which outputs of the graph may hold the scores, best first.
#pragma once

#include "model/onnx/choice/trace.h"

namespace scfe::onnx {

struct Candidates {
  std::vector<Trace> scores;  // to be tried in this order
  std::vector<Trace> labels;  // what the file says itself of the class
};

// Error where several outputs may be meant and none is named. What a person names is not compared with other
// outputs.
Candidates candidates_of(const Graph& graph, const std::string& output = "");

}  // namespace scfe::onnx
