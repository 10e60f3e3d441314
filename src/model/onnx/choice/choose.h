// The scores of a file, and the model that computes them: the first candidate whose classes are those that
// the file's own outputs say, at some points.
#pragma once

#include "model/onnx/compile.h"

namespace scfe::onnx {

struct Chosen {
  Scores scores;
  std::shared_ptr<const Model> model;
};

// Error where no output holds scores that agree with the file's own label.
Chosen choose_scores(const Graph& graph, const OnnxOptions& options);

// The scores that would be tried first, whether they can be computed or not.
Scores likely_scores(const Graph& graph, const OnnxOptions& options);

}  // namespace scfe::onnx
