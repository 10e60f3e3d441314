#include "model/onnx/output_of.h"

#include <algorithm>

namespace scfe::onnx {
namespace {

bool is_regressor(const Node& node) {
  return node.domain == "ai.onnx.ml" &&
         (node.op == "LinearRegressor" || node.op == "SVMRegressor" || node.op == "TreeEnsembleRegressor");
}

}  // namespace

// A regression is recognised by a regressor node, or by the output name that skl2onnx uses. For a plain
// network it is unknown whether it is a regression or a classifier that was exported with its logits.
Model::Output output_of(const Graph& graph, const Scores& scores) {
  const auto passes = [&](std::string_view op) { return std::ranges::count(scores.looked_through, op) > 0; };
  if (scores.probability) return Model::Output::sigmoid;
  if (passes("Sigmoid") && !passes("ArgMax")) return Model::Output::sigmoid;
  if (!scores.classes.empty() || passes("ArgMax") || graph.outputs.size() != 1) return Model::Output::unknown;
  const bool made_by_regressor = std::ranges::any_of(graph.nodes, [&](const Node& node) {
    return is_regressor(node) && std::ranges::count(node.outputs, scores.value) > 0;
  });
  const bool named_by_converter = graph.producer.starts_with("skl2onnx") && scores.output == "variable";
  return made_by_regressor || named_by_converter ? Model::Output::number : Model::Output::unknown;
}

}  // namespace scfe::onnx
