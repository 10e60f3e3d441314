// Finds the outputs of the graph that may hold the scores, best first.
#pragma once

#include "model/onnx/choice/trace.h"

namespace scfe::onnx {

struct Candidates {
  std::vector<Trace> scores;  // to be tried in this order
  std::vector<Trace> labels;  // outputs of the file that name the class
};

// `output` is the user's choice, which has no labels to compare with. If it is empty and several outputs are
// equally likely, an Error is thrown.
Candidates candidates_of(const Graph& graph, const std::string& output = "");

}  // namespace scfe::onnx
