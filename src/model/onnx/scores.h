// Which value of the graph holds the scores (logits), and what the classes are called.
#pragma once

#include "model/onnx/graph.h"

namespace scfe::onnx {

struct Scores {
  std::string value;  // the value to compute
  // If only views (Reshape, ...) lie between `value` and `output`: the result of the last view, from which
  // the scores take their shape. Else empty.
  std::string seen;
  std::string output;                       // the output of the graph that `value` was found from
  std::vector<std::string> looked_through;  // operators between `output` and `value`, last first
  std::vector<std::string> classes;
  bool integer_classes = false;
  // `value` has one column, a probability p: the score is log(p / (1 - p)).
  bool probability = false;
};

// The name that we give to the scores of an ai.onnx.ml classifier before its post_transform.
std::string raw_output(const Node& node);
bool is_ml_classifier(const Node& node);

}  // namespace scfe::onnx
