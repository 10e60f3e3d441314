#include "model/onnx/scores.h"

namespace scfe::onnx {

bool is_ml_classifier(const Node& node) {
  return node.domain == "ai.onnx.ml" &&
         (node.op == "LinearClassifier" || node.op == "SVMClassifier" || node.op == "TreeEnsembleClassifier");
}

std::string raw_output(const Node& node) {
  return "raw scores of " + (node.outputs.empty() ? node.name : node.outputs[0]);
}

}  // namespace scfe::onnx
