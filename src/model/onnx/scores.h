// Which value of the graph holds the scores (logits), and what the classes are called.
#pragma once

#include "model/onnx/graph.h"

namespace scfe::onnx {

struct Scores {
  std::string value;  // the value to compute
  // Where nothing but views (Reshape, ...) was looked through: the last of them, whose shape counts; else
  // empty.
  std::string seen;
  std::string output;                       // the graph's output that it stands for
  std::vector<std::string> looked_through;  // operators between the two, last first
  std::vector<std::string> classes;
  bool integer_classes = false;
  // One column of `value` lies within [0, 1] and is a probability p: the score is log(p / (1 - p)).
  bool probability = false;
};

// The name of the hidden third output of a classifier node of ai.onnx.ml: its scores before post_transform.
std::string raw_output(const Node& node);
bool is_ml_classifier(const Node& node);

}  // namespace scfe::onnx
