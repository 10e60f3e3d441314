// Tells which node produces a value of the graph, and which values are constant.
#pragma once

#include <set>

#include "model/onnx/graph.h"

namespace scfe::onnx {

class Producers {
 public:
  explicit Producers(const Graph& graph);

  const Node* of(const std::string& value) const;          // null for an input or a constant
  const Tensor* constant(const std::string& value) const;  // null for inputs and computed values
  // The number that a constant of one element holds; nullopt for any other value.
  std::optional<double> number(const std::string& value) const;
  // True if `value` is computed from `from`.
  bool reads(const std::string& value, const std::string& from) const;
  // True if `value` depends on an input of the graph.
  bool varies(const std::string& value) const;

 private:
  std::set<std::string> ancestors(const std::string& value) const;

  const Graph& graph_;
  std::map<std::string, const Node*, std::less<>> made_;
};

const Attribute* find(const Node& node, std::string_view name);

}  // namespace scfe::onnx
