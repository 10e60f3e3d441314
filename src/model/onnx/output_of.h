// What a graph itself returns for one score: its sigmoid, or a number that stands for no class.
#pragma once

#include "model/onnx/scores.h"
#include "scfe/model.h"

namespace scfe::onnx {

Model::Output output_of(const Graph& graph, const Scores& scores);

}  // namespace scfe::onnx
