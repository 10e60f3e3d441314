// Turns a graph into a model that runs: lowered, planned and fused, in float or in double (onnx/real.h).
#pragma once

#include "model/onnx/graph.h"
#include "model/onnx/scores.h"
#include "scfe/onnx.h"

namespace scfe::onnx {

struct Reading {
  const Graph& graph;
  const Scores& scores;
  const OnnxOptions& options;
};

// Number: float or double.
template <class Number>
std::shared_ptr<const Model> compile(const Reading& reading);
// Fills in what only the plan knows, and lists the nodes that cannot run.
template <class Number>
void describe(const Reading& reading, OnnxInfo& info);

template <>
std::shared_ptr<const Model> compile<float>(const Reading& reading);
template <>
std::shared_ptr<const Model> compile<double>(const Reading& reading);
template <>
void describe<float>(const Reading& reading, OnnxInfo& info);
template <>
void describe<double>(const Reading& reading, OnnxInfo& info);

}  // namespace scfe::onnx
