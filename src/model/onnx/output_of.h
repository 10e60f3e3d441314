// Tells what the output of a one-score graph means: a sigmoid, or a number without classes (regression).
#pragma once

#include "model/onnx/scores.h"
#include "scfe/model.h"

namespace scfe::onnx {

Model::Output output_of(const Graph& graph, const Scores& scores);

}  // namespace scfe::onnx
