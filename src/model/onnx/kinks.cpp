#include "model/onnx/kinks.h"

#include <algorithm>
#include <cmath>

#include "model/onnx/choice/producers.h"

namespace scfe::onnx {
namespace {

constexpr int deepest = 6;  // at most this many nodes in a branch, or between comparison and branch

struct Line {
  std::string x;
  double c;
};

class Kinks {
 public:
  explicit Kinks(const Graph& graph) : producers_(graph) {
    for (const Node& node : graph.nodes)
      for (const std::string& input : node.inputs) readers_[input].push_back(&node);
    for (const Port& port : graph.outputs) shown_.insert(port.name);
  }

  bool is_kink(const Node& node) const {
    static const std::set<std::string, std::less<>> comparisons = {"Greater", "GreaterOrEqual", "Less",
                                                                   "LessOrEqual", "Equal"};
    if (!comparisons.contains(node.op) || node.inputs.size() != 2 || node.outputs.empty()) return false;
    const auto left = producers_.number(node.inputs[0]), right = producers_.number(node.inputs[1]);
    if (left.has_value() == right.has_value()) return false;
    return joins(node.outputs[0], left ? Line{node.inputs[1], *left} : Line{node.inputs[0], *right}, deepest);
  }

 private:
  bool joins(const std::string& truth, const Line& line, int depth) const {
    if (depth == 0 || shown_.contains(truth)) return false;
    const auto found = readers_.find(truth);
    return found == readers_.end() || std::ranges::all_of(found->second, [&](const Node* reader) {
             const auto& x = reader->inputs;
             if (reader->outputs.empty()) return false;
             if (reader->op == "Cast" || reader->op == "Not")
               return joins(reader->outputs[0], line, depth - 1);
             if (reader->op == "Where" && x.size() == 3 && x[0] == truth)
               return same(at(x[1], line), at(x[2], line));
             return reader->op == "Mul" && x.size() == 2 && same(at(x[x[0] == truth ? 1 : 0], line), 0.0);
           });
  }

  static bool same(std::optional<double> a, std::optional<double> b) {
    return a && b && std::abs(*a - *b) <= 1e-6 * std::max(1.0, std::abs(*a));
  }

  // The value at x = c, if it is a continuous function of x alone; else nullopt.
  std::optional<double> at(const std::string& value, const Line& line, int depth = deepest) const {
    if (value == line.x) return line.c;
    if (const auto number = producers_.number(value)) return number;
    const Node* node = producers_.of(value);
    if (!node || depth == 0 || node->inputs.empty() || node->inputs.size() > 2) return std::nullopt;
    const auto a = at(node->inputs[0], line, depth - 1);
    if (!a) return std::nullopt;
    if (node->inputs.size() == 1) {
      if (node->op == "Neg") return -*a;
      if (node->op == "Exp") return std::exp(*a);
      if (node->op == "Identity") return a;
      return std::nullopt;
    }
    const auto b = at(node->inputs[1], line, depth - 1);
    if (!b) return std::nullopt;
    if (node->op == "Add") return *a + *b;
    if (node->op == "Sub") return *a - *b;
    if (node->op == "Mul") return *a * *b;
    return std::nullopt;
  }

  Producers producers_;
  std::map<std::string, std::vector<const Node*>, std::less<>> readers_;
  std::set<std::string, std::less<>> shown_;
};

}  // namespace

std::set<const Node*> kinks_of(const Graph& graph) {
  const Kinks kinks(graph);
  std::set<const Node*> found;
  for (const Node& node : graph.nodes)
    if (kinks.is_kink(node)) found.insert(&node);
  return found;
}

}  // namespace scfe::onnx
