#include "model/onnx/scores.h"

#include <algorithm>
#include <set>

#include "scfe/error.h"

namespace scfe::onnx {
namespace {

const Attribute* find(const Node& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : &found->second;
}

class Tracer {
 public:
  explicit Tracer(const Graph& graph) : graph_(graph) {
    for (const Node& node : graph.nodes)
      for (const std::string& output : node.outputs)
        if (!output.empty()) made_[output] = &node;
  }

  Scores trace(const std::string& output) const {
    Scores scores;
    scores.value = scores.output = output;
    while (step(scores)) {
    }
    return scores;
  }

 private:
  const Node* producer(const std::string& value) const {
    const auto found = made_.find(value);
    return found == made_.end() ? nullptr : found->second;
  }
  const Tensor* constant(const std::string& value) const {
    const auto found = graph_.constants.find(value);
    if (found != graph_.constants.end()) return found->second.get();
    const Node* node = producer(value);
    if (!node || node->op != "Constant") return nullptr;
    const Attribute* given = find(*node, "value");
    return given ? given->tensor.get() : nullptr;
  }

  static void name_classes(Scores& scores, const std::vector<std::string>& texts,
                           const std::vector<std::int64_t>& integers) {
    if (!scores.classes.empty()) return;
    scores.classes = texts;
    scores.integer_classes = texts.empty() && !integers.empty();
    for (const std::int64_t label : integers)
      if (texts.empty()) scores.classes.push_back(std::to_string(label));
  }
  static void name_classes(Scores& scores, const Node& node, std::string_view texts,
                           std::string_view integers) {
    const Attribute *text = find(node, texts), *integer = find(node, integers);
    name_classes(scores, text ? text->texts : std::vector<std::string>{},
                 integer ? integer->integers : std::vector<std::int64_t>{});
  }

  void pass(Scores& scores, const Node& node, std::size_t input) const {
    scores.looked_through.push_back(node.op);
    scores.value = node.inputs[input];
  }

  // Is there a probability below this value, so that what lies on top may be looked through?
  bool probability_below(const Node& node) const {
    if (node.inputs.empty()) return false;
    const Node* below = producer(node.inputs[0]);
    return below && (below->op == "Sigmoid" || below->op == "Softmax" || below->op == "Concat" ||
                     is_ml_classifier(*below));
  }

  bool step(Scores& scores) const {
    static const std::set<std::string, std::less<>> views = {"Identity", "Cast",      "Reshape", "Squeeze",
                                                             "Flatten",  "Unsqueeze", "ArgMax",  "Dropout"};
    static const std::set<std::string, std::less<>> last = {"Sigmoid", "Softmax", "LogSoftmax"};
    const Node* node = producer(scores.value);
    if (!node || node->inputs.empty()) return false;
    if (is_ml_classifier(*node)) {
      name_classes(scores, *node, "classlabels_strings", "classlabels_ints");
      name_classes(scores, *node, "classlabels_strings", "classlabels_int64s");
      scores.looked_through.push_back(node->op);
      scores.value = raw_output(*node);
      return false;
    }
    if (last.contains(node->op)) {
      pass(scores, *node, 0);
      return false;
    }
    if (node->op == "ZipMap") {
      name_classes(scores, *node, "classlabels_strings", "classlabels_int64s");
      return pass(scores, *node, 0), true;
    }
    if (node->op == "LabelEncoder") {
      name_classes(scores, *node, "values_strings", "values_int64s");
      return pass(scores, *node, 0), true;
    }
    if (node->op == "ArrayFeatureExtractor" && node->inputs.size() == 2) {
      const Tensor* labels = constant(node->inputs[0]);
      if (!labels) return false;
      name_classes(scores, labels->texts, labels->integers);
      return pass(scores, *node, 1), true;
    }
    if (node->op == "Normalizer" && probability_below(*node)) return pass(scores, *node, 0), true;
    if (node->op == "Div" && probability_below(*node) && divides_by_sum(*node))
      return pass(scores, *node, 0), true;
    if (node->op == "Concat") return pair(scores, *node);
    if (node->op == "Mul" && node->inputs.size() == 2) {  // by 1, as onnxmltools ends LightGBM models
      const Tensor* factor = constant(node->inputs[1]);
      if (!factor || factor->size() != 1 || factor->type == Type::text || factor->real(0) != 1) return false;
      return pass(scores, *node, 0), true;
    }
    if (!views.contains(node->op)) return false;
    return pass(scores, *node, 0), true;
  }

  // p / sum |p|, written out.
  bool divides_by_sum(const Node& node) const {
    static const std::set<std::string, std::less<>> sums = {"ReduceSum", "ReduceL1"},
                                                    others = {"Abs", "Reshape"};
    std::string value = node.inputs.size() == 2 ? node.inputs[1] : "";
    bool sum = false;
    for (const Node* at = producer(value); at && !at->inputs.empty(); at = producer(value)) {
      if (value == node.inputs[0] || !(sums.contains(at->op) || others.contains(at->op))) break;
      sum = sum || sums.contains(at->op);
      value = at->inputs[0];
    }
    return sum && value == node.inputs[0];
  }

  // (1 - p, p) with p = Sigmoid(z): the score is z.
  bool pair(Scores& scores, const Node& node) const {
    if (node.inputs.size() != 2) return false;
    const Node *first = producer(node.inputs[0]), *second = producer(node.inputs[1]);
    if (!first || !second || first->op != "Sub" || first->inputs.size() != 2) return false;
    const Tensor* one = constant(first->inputs[0]);
    if (!one || one->size() != 1 || one->type == Type::text || one->real(0) != 1) return false;
    if (first->inputs[1] != node.inputs[1] || second->op != "Sigmoid" || second->inputs.empty()) return false;
    scores.looked_through.insert(scores.looked_through.end(), {"Concat", "Sigmoid"});
    scores.value = second->inputs[0];
    return false;
  }

  const Graph& graph_;
  std::map<std::string, const Node*, std::less<>> made_;
};

bool carries_probability(const Scores& scores) {
  return std::any_of(scores.looked_through.begin(), scores.looked_through.end(), [](const std::string& op) {
    return op != "Identity" && op != "Cast" && op != "Reshape" && op != "Squeeze" && op != "Flatten" &&
           op != "Unsqueeze";
  });
}

}  // namespace

bool is_ml_classifier(const Node& node) {
  return node.domain == "ai.onnx.ml" &&
         (node.op == "LinearClassifier" || node.op == "SVMClassifier" || node.op == "TreeEnsembleClassifier");
}

std::string raw_output(const Node& node) {
  return "raw scores of " + (node.outputs.empty() ? node.name : node.outputs[0]);
}

Scores find_scores(const Graph& graph) {
  if (graph.outputs.empty()) throw Error("onnx graph", "an output", "none");
  const Tracer tracer(graph);
  std::vector<Scores> all;
  for (const Port& port : graph.outputs) all.push_back(tracer.trace(port.name));
  // A classifier's raw scores first. Labels last: a probability output says more. Of several real outputs,
  // one that ends in a probability.
  const auto rank = [&](std::size_t i) {
    if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
          return is_ml_classifier(node) && all[i].value == raw_output(node);
        }))
      return -1;
    const Port& port = graph.outputs[i];
    const bool label = port.tensor && port.type != Type::real;
    return (label ? 2 : 0) + (carries_probability(all[i]) ? 0 : 1);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (rank(i) < rank(best)) best = i;
  Scores result = all[best];
  for (const Scores& other : all)
    if (result.classes.empty() && !other.classes.empty()) {
      result.classes = other.classes;
      result.integer_classes = other.integer_classes;
    }
  return result;
}

}  // namespace scfe::onnx
