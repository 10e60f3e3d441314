// Which values of a graph are in single and which in double precision, by the file's own types.
//
// ONNX Runtime computes each operator in the type of its inputs, and most operators of ai.onnx.ml return
// floats. What is rounded on the way to a tree decides which branch a value takes, so a file with doubles is
// rounded just where its types say so.
#pragma once

#include <set>
#include <string>

#include "model/onnx/graph.h"
#include "scfe/onnx.h"

namespace scfe::onnx {

// True if an input or a threshold is in double. Such a file is computed in double.
bool is_in_double(const Graph& graph);

bool computes_in_double(const Graph& graph, const OnnxOptions& options);

// The names of the values in single precision that tree ensembles are computed from.
std::set<std::string> single_before_trees(const Graph& graph);

}  // namespace scfe::onnx
