#include "model/onnx/choice/trace.h"

#include <algorithm>
#include <set>

#include "model/onnx/choice/range.h"

namespace scfe::onnx {
namespace {

using Ops = std::set<std::string, std::less<>>;

std::vector<std::string> class_list(const Node& node, bool& integers) {
  if (const Attribute* texts = find(node, "classlabels_strings"); texts && !texts->texts.empty())
    return texts->texts;
  std::vector<std::string> all;
  for (const char* name : {"classlabels_ints", "classlabels_int64s"})
    if (const Attribute* given = find(node, name); given && all.empty())
      for (const std::int64_t label : given->integers) all.push_back(std::to_string(label));
  integers = !all.empty();
  return all;
}

const Ops& views() {
  static const Ops all = {"Identity", "Reshape", "Squeeze", "Flatten", "Unsqueeze", "Dropout"};
  return all;
}

class Tracer {
 public:
  Tracer(const Port& output, const Producers& producers) : producers_(producers) {
    at_.scores.value = at_.scores.output = at_.shown = output.name;
    at_.label = output.tensor && output.type != Type::real;
  }

  Trace run() {
    while (step()) {
    }
    at_.label = at_.label || !at_.index.empty();
    const auto is_view = [](const std::string& op) { return views().contains(op); };
    if (std::ranges::all_of(at_.scores.looked_through, is_view)) at_.scores.seen = at_.shown;
    if (at_.scores.classes.empty()) name_classes();
    if (at_.label && !at_.decides()) at_.scores.probability = true;  // a label of 0 or 1 counts as one
    if (is_open(at_)) {
      constexpr double rounding = 1e-6;
      const Range range = range_of(at_.scores.value, producers_);
      at_.scores.probability = range.low >= -rounding && range.high <= 1 + rounding;
    }
    return std::move(at_);
  }

 private:
  void name_classes() {
    Scores& scores = at_.scores;
    if (!at_.lookups.empty()) scores.integer_classes = at_.lookups.front().integers;
    if (at_.classifier) {
      for (const std::string& name : at_.named)
        if (const auto behind = name_behind(at_.lookups, name)) scores.classes.push_back(*behind);
      return;
    }
    if (at_.lookups.empty()) return;
    while (const auto behind = name_behind(at_.lookups, std::to_string(scores.classes.size())))
      scores.classes.push_back(*behind);
  }

  bool pass(const Node& node, std::size_t input, bool on = true) {
    at_.scores.looked_through.push_back(node.op);
    at_.scores.value = node.inputs[input];
    return on;
  }

  // True if the node reads a probability, so that it does not change the decision.
  bool probability_below(const Node& node) const {
    if (node.inputs.empty()) return false;
    const Node* below = producers_.of(node.inputs[0]);
    return below && (below->op == "Sigmoid" || below->op == "Softmax" || below->op == "Concat" ||
                     is_ml_classifier(*below));
  }

  bool step() {
    static const Ops last = {"Sigmoid", "Softmax", "LogSoftmax"};
    const Node* node = producers_.of(at_.scores.value);
    if (!node || node->inputs.empty()) return false;
    if (is_ml_classifier(*node)) return classifier(*node);
    if (last.contains(node->op)) return pass(*node, 0, false);
    if (is_log_softmax(*node)) {
      at_.scores.looked_through.push_back("LogSoftmax");
      at_.scores.value = node->inputs[0];
      return false;
    }
    if (node->op == "ZipMap") {
      at_.scores.classes = class_list(*node, at_.scores.integer_classes);
      at_.shown = node->inputs[0];
      return pass(*node, 0);
    }
    if (auto lookup = lookup_of(*node, producers_)) {
      at_.lookups.push_back(std::move(*lookup));
      return pass(*node, node->op == "LabelEncoder" ? 0 : 1);
    }
    if (node->op == "ArgMax") {
      if (!at_.index.empty()) return false;
      at_.index = at_.scores.value;
      at_.below = node->inputs[0];
      return pass(*node, 0);
    }
    return keeps_decision(*node) && pass(*node, 0);
  }

  bool keeps_decision(const Node& node) {
    if (views().contains(node.op)) return fits(node);
    if (node.op == "Cast") return is_exact(node);
    if (node.op == "Normalizer") return probability_below(node);
    if (node.op == "Div") return probability_below(node) && divides_by_sum(node);
    if (node.op == "Concat") return pair(node);
    if (node.op == "Exp" || node.op == "Log") return turns_softmax(node);
    // A product with 1, which onnxmltools appends to LightGBM models.
    return node.op == "Mul" && node.inputs.size() == 2 && producers_.number(node.inputs[1]) == 1;
  }

  // True for z - log sum exp z, written with separate operators.
  bool is_log_softmax(const Node& node) const {
    const Node* sum = node.op == "Sub" && node.inputs.size() == 2 ? producers_.of(node.inputs[1]) : nullptr;
    return sum && sum->op == "ReduceLogSumExp" && !sum->inputs.empty() && sum->inputs[0] == node.inputs[0];
  }

  // True for exp(log softmax) and log(softmax).
  bool turns_softmax(const Node& node) const {
    const Node* below = producers_.of(node.inputs[0]);
    if (!below) return false;
    return node.op == "Log" ? below->op == "Softmax" : below->op == "LogSoftmax" || is_log_softmax(*below);
  }

  // False for an invalid Reshape: it must not be skipped, so that it is rejected like everywhere else.
  bool fits(const Node& view) const {
    const Tensor* shape =
        view.op == "Reshape" && view.inputs.size() > 1 ? producers_.constant(view.inputs[1]) : nullptr;
    return !shape || std::ranges::count(shape->integers, -1) <= 1;
  }

  bool classifier(const Node& node) {
    bool integers = false;
    at_.named = class_list(node, integers);
    if (at_.scores.classes.empty()) at_.scores.integer_classes = integers;
    at_.classifier = true;
    at_.scores.looked_through.push_back(node.op);
    at_.scores.value = raw_output(node);
    return false;
  }

  // True for a cast to real numbers. A cast to integers truncates, so it must read labels or truth values.
  bool is_exact(const Node& cast) const {
    static const Ops whole = {"ArgMax", "ArgMin", "LabelEncoder", "ArrayFeatureExtractor", "Greater",
                              "Less",   "Equal",  "Not",          "GreaterOrEqual",        "LessOrEqual",
                              "And",    "Or",     "Xor"};
    static const Ops views = {"Identity", "Reshape", "Squeeze", "Flatten", "Unsqueeze", "Cast"};
    const Attribute* to = find(cast, "to");
    if (to && (to->integer == 1 || to->integer == 10 || to->integer == 11 || to->integer == 16)) return true;
    const Node* below = producers_.of(cast.inputs[0]);
    while (below && views.contains(below->op) && !below->inputs.empty())
      below = producers_.of(below->inputs[0]);
    return below && (whole.contains(below->op) || is_ml_classifier(*below));
  }

  // True for p / sum |p|, written with separate operators.
  bool divides_by_sum(const Node& node) const {
    static const Ops sums = {"ReduceSum", "ReduceL1"}, others = {"Abs", "Reshape"};
    std::string value = node.inputs.size() == 2 ? node.inputs[1] : "";
    bool sum = false;
    for (const Node* at = producers_.of(value); at && !at->inputs.empty(); at = producers_.of(value)) {
      if (value == node.inputs[0] || !(sums.contains(at->op) || others.contains(at->op))) break;
      sum = sum || sums.contains(at->op);
      value = at->inputs[0];
    }
    return sum && value == node.inputs[0];
  }

  // (1 - p, p) with p = Sigmoid(z): the score is z.
  bool pair(const Node& node) {
    if (node.inputs.size() != 2) return false;
    const Node *first = producers_.of(node.inputs[0]), *second = producers_.of(node.inputs[1]);
    if (!first || !second || first->op != "Sub" || first->inputs.size() != 2) return false;
    if (producers_.number(first->inputs[0]) != 1) return false;
    if (first->inputs[1] != node.inputs[1] || second->op != "Sigmoid" || second->inputs.empty()) return false;
    at_.scores.looked_through.insert(at_.scores.looked_through.end(), {"Concat", "Sigmoid"});
    at_.scores.value = second->inputs[0];
    return false;
  }

  const Producers& producers_;
  Trace at_;
};

}  // namespace

bool is_open(const Trace& trace) {
  static const Ops last = {"Sigmoid", "Softmax", "LogSoftmax", "ArgMax", "Concat"};
  return !trace.label && !trace.classifier &&
         std::ranges::none_of(trace.scores.looked_through,
                              [](const std::string& op) { return last.contains(op); });
}

Trace trace_back(const Port& output, const Producers& producers) { return Tracer(output, producers).run(); }

}  // namespace scfe::onnx
