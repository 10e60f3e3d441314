// Graph -> Plan: lowers the nodes that the scores need, in order, by the catalogue of operators.
#pragma once

#include "model/onnx/builder.h"
#include "model/onnx/graph.h"
#include "model/onnx/scores.h"
#include "scfe/onnx.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Lowered {
  Plan plan;
  bool complete = false;  // false: some node is not supported (only when they are collected)
};

// Fills info's inputs, features and scores. If `unsupported` is null, the first node that cannot be
// lowered is an Error; otherwise they are collected there.
Lowered lower(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info,
              std::vector<std::string>* unsupported);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
