#include "model/onnx/choice/producers.h"

#include <algorithm>

namespace scfe::onnx {

const Attribute* find(const Node& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : &found->second;
}

Producers::Producers(const Graph& graph) : graph_(graph) {
  for (const Node& node : graph.nodes)
    for (const std::string& output : node.outputs)
      if (!output.empty()) made_[output] = &node;
}

const Node* Producers::of(const std::string& value) const {
  const auto found = made_.find(value);
  return found == made_.end() ? nullptr : found->second;
}

const Tensor* Producers::constant(const std::string& value) const {
  const auto found = graph_.constants.find(value);
  if (found != graph_.constants.end()) return found->second.get();
  const Node* node = of(value);
  if (!node || node->op != "Constant") return nullptr;
  const Attribute* given = find(*node, "value");
  return given ? given->tensor.get() : nullptr;
}

std::optional<double> Producers::number(const std::string& value) const {
  const Tensor* tensor = constant(value);
  if (!tensor || tensor->size() != 1 || tensor->type == Type::text) return std::nullopt;
  return tensor->real(0);
}

std::set<std::string> Producers::ancestors(const std::string& value) const {
  std::set<std::string> seen;
  std::vector<std::string> open = {value};
  while (!open.empty()) {
    const Node* node = of(open.back());
    open.pop_back();
    if (!node) continue;
    for (const std::string& input : node->inputs)
      if (!input.empty() && seen.insert(input).second) open.push_back(input);
  }
  return seen;
}

bool Producers::reads(const std::string& value, const std::string& from) const {
  return ancestors(value).contains(from);
}

bool Producers::varies(const std::string& value) const {
  const std::set<std::string> from = ancestors(value);
  return std::ranges::any_of(
      graph_.inputs, [&](const Port& input) { return input.name == value || from.contains(input.name); });
}

}  // namespace scfe::onnx
