// Graph -> Plan: lowers, in order, the nodes that the scores depend on, using the catalogue of operators.
#pragma once

#include "model/onnx/builder.h"
#include "model/onnx/graph.h"
#include "model/onnx/scores.h"
#include "scfe/onnx.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Lowered {
  Plan plan;
  bool complete = false;  // false: a node is unsupported (only if these are collected)
  bool centred = false;   // the score is a probability less 1/2: a forest's, to be recognised as such
};

// Fills info's inputs, features and scores. If `unsupported` is null, the first node that cannot be
// lowered throws an Error; otherwise the messages of all such nodes are collected there.
// `log_odds`: a score that would be centred becomes the logarithm of its odds.
Lowered lower(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info,
              std::vector<std::string>* unsupported, bool log_odds = false);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
