#include "model/onnx/element_types.h"

#include <algorithm>
#include <array>

#include "model/onnx/element_type.h"

namespace scfe::onnx {
namespace {

constexpr std::int32_t unknown = 0, single = 1, wide = 11, integer = 7;

bool is_tree(const Node& node) { return node.op.starts_with("TreeEnsemble"); }

// Operators of ai.onnx.ml that keep the type of their input; the others return floats.
bool keeps_type(const Node& node) {
  static constexpr std::array names = {"ArrayFeatureExtractor", "Binarizer", "Imputer"};
  return node.domain != "ai.onnx.ml" || std::ranges::count(names, node.op) > 0;
}

class Types {
 public:
  explicit Types(const Graph& graph) {
    for (const Port& port : graph.inputs) of_[port.name] = port.element;
    for (const auto& [name, tensor] : graph.constants) of_[name] = of(*tensor);
    for (const Node& node : graph.nodes)
      for (const std::string& output : node.outputs) of_[output] = result_of(node);
  }
  std::int32_t operator[](const std::string& name) const {
    const auto found = of_.find(name);
    return found == of_.end() ? unknown : found->second;
  }

 private:
  static std::int32_t of(const Tensor& tensor) {
    if (tensor.type != Type::real) return integer;
    return tensor.wide ? wide : single;
  }

  std::int32_t result_of(const Node& node) const {
    const auto attribute = [&](std::string_view name) -> const Attribute* {
      const auto found = node.attributes.find(name);
      return found == node.attributes.end() ? nullptr : &found->second;
    };
    if (const Attribute* to = attribute("to"); node.op == "Cast" && to)
      return static_cast<std::int32_t>(to->integer);
    if (const Attribute* value = attribute("value"); value && value->tensor) return of(*value->tensor);
    if (node.op == "LabelEncoder")
      return attribute("values_floats") || attribute("default_float") ? single : unknown;
    if (!keeps_type(node)) return single;
    const std::size_t like = node.op == "CastLike" || node.op == "Where" ? 1 : 0;
    return like < node.inputs.size() ? (*this)[node.inputs[like]] : unknown;
  }

  std::map<std::string, std::int32_t, std::less<>> of_;
};

}  // namespace

bool is_in_double(const Graph& graph) {
  if (std::ranges::any_of(graph.inputs, is_wide, &Port::element)) return true;
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    return is_tree(node) && std::ranges::any_of(node.attributes, [](const auto& attribute) {
             return attribute.second.tensor && attribute.second.tensor->wide;
           });
  });
}

bool computes_in_double(const Graph& graph, const OnnxOptions& options) {
  if (options.precision != Precision::automatic) return options.precision == Precision::float64;
  return is_in_double(graph);
}

std::set<std::string> single_before_trees(const Graph& graph) {
  std::set<std::string> before;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool wanted = is_tree(*node) ||
                        std::ranges::any_of(node->outputs, [&](const auto& y) { return before.contains(y); });
    if (wanted) before.insert(node->inputs.begin(), node->inputs.end());
  }
  const Types types(graph);
  std::erase_if(before, [&](const std::string& name) { return types[name] != single; });
  return before;
}

}  // namespace scfe::onnx
