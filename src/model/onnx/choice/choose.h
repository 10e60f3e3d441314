// Chooses the scores of a file, and builds the model that computes them: the first candidate that agrees with
// the file's own outputs about the class at a set of test points.
#pragma once

#include "model/onnx/compile.h"

namespace scfe::onnx {

struct Chosen {
  Scores scores;
  std::shared_ptr<const Model> model;
};

// Throws an Error if no output holds scores that agree with the file's own label.
Chosen choose_scores(const Graph& graph, const OnnxOptions& options);

// The first candidate, even if it cannot be computed.
Scores likely_scores(const Graph& graph, const OnnxOptions& options);

}  // namespace scfe::onnx
