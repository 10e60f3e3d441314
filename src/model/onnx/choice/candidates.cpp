#include "model/onnx/choice/candidates.h"

#include <algorithm>
#include <utility>

#include "model/onnx/output_of.h"
#include "scfe/error.h"

namespace scfe::onnx {
namespace {

bool carries_probability(const Trace& trace) {
  return trace.scores.probability ||
         std::ranges::any_of(trace.scores.looked_through, [](const std::string& op) {
           return op != "Identity" && op != "Cast" && op != "Reshape" && op != "Squeeze" && op != "Flatten" &&
                  op != "Unsqueeze";
         });
}

bool same_value(const std::vector<Trace>& traces) {
  return std::ranges::all_of(
      traces, [&](const Trace& trace) { return trace.scores.value == traces[0].scores.value; });
}

// Limits on the work: the search from an output may visit all nodes, and each label that is compared needs a
// plan of its own.
constexpr std::size_t few_outputs = 16, max_looks = std::size_t{1} << 20, most_labels = 4;

[[noreturn]] void refuse(const std::vector<Trace>& traces) {
  std::string names;
  for (const Trace& trace : traces) names += (names.empty() ? "'" : ", '") + trace.scores.output + "'";
  throw Error("outputs " + names, "one that holds the scores (--model-output may name it)",
              "several that may be meant");
}

// Chooses among several outputs when no label decides: any of them if all show the same scores, or the only
// probabilities if no other output is computed from them.
Trace only_one(const std::vector<Trace>& reals, const Producers& producers) {
  if (same_value(reals)) {
    const auto best = std::ranges::find_if(reals, carries_probability);
    return best == reals.end() ? reals[0] : *best;
  }
  if (std::ranges::count_if(reals, carries_probability) != 1) refuse(reals);
  const Trace& best = *std::ranges::find_if(reals, carries_probability);
  for (const Trace& other : reals)
    if (producers.reads(other.scores.output, best.scores.output)) refuse(reals);
  return best;
}

std::vector<Trace> ordered(const std::vector<Trace>& reals, const std::vector<Trace>& labels,
                           const Producers& producers) {
  std::vector<Trace> classifiers, deciding;
  // Labels come first, because they know the class names of the file.
  for (const auto* all : {&labels, &reals})
    for (const Trace& trace : *all)
      if (trace.classifier) classifiers.push_back(trace);
  std::ranges::copy_if(labels, std::back_inserter(deciding), &Trace::decides);
  if (!classifiers.empty() && !same_value(classifiers)) refuse(classifiers);
  if (!classifiers.empty()) return {classifiers[0]};
  if (deciding.size() > 1 && !same_value(deciding)) refuse(deciding);
  if (reals.size() == 1) {
    std::vector<Trace> both = reals;
    both.insert(both.end(), deciding.begin(), deciding.end());
    return both;
  }
  if (deciding.empty() && reals.empty() && labels.size() > 1) refuse(labels);
  if (deciding.empty()) return {reals.empty() ? labels[0] : only_one(reals, producers)};
  const auto same = std::ranges::find_if(
      reals, [&](const Trace& real) { return real.scores.value == deciding[0].scores.value; });
  return {same == reals.end() ? deciding[0] : *same};
}

// The output that the user names. Its class names may come from another output with the same scores.
Candidates named(const Graph& graph, const std::string& output, const Producers& producers) {
  const auto port = std::ranges::find(graph.outputs, output, &Port::name);
  if (port == graph.outputs.end()) {
    std::string names;
    for (const Port& other : graph.outputs) names += (names.empty() ? "'" : ", '") + other.name + "'";
    throw Error("model output", "one of " + names, "'" + output + "'");
  }
  Candidates result{{trace_back(*port, producers)}, {}};
  Scores& scores = result.scores[0].scores;
  for (const Port& other : graph.outputs) {
    if (!scores.classes.empty()) break;
    const Trace trace = trace_back(other, producers);
    if (trace.scores.value != scores.value) continue;
    scores.classes = trace.scores.classes;
    scores.integer_classes = trace.scores.integer_classes;
  }
  return result;
}

void confirm_probabilities(const Graph& graph, Candidates& candidates) {
  for (Trace& chosen : candidates.scores)
    if (std::exchange(chosen.scores.probability, false))
      chosen.scores.probability = output_of(graph, chosen.scores) != Model::Output::number;
}

}  // namespace

Candidates candidates_of(const Graph& graph, const std::string& output) {
  const std::size_t outputs = graph.outputs.size();
  if (outputs == 0) throw Error("onnx graph", "an output", "none");
  if (outputs > few_outputs && outputs > max_looks / (1 + graph.nodes.size()))
    throw Error("onnx graph", "fewer outputs, or the name of the value that holds the scores",
                std::to_string(outputs) + " outputs");
  const Producers producers(graph);
  std::vector<Trace> reals;
  Candidates result;
  if (!output.empty()) {
    result = named(graph, output, producers);
    confirm_probabilities(graph, result);
    return result;
  }
  const bool any =
      std::ranges::any_of(graph.outputs, [&](const Port& port) { return producers.varies(port.name); });
  for (const Port& port : graph.outputs) {
    if (any && !producers.varies(port.name)) continue;  // a constant: a list of the class labels
    Trace trace = trace_back(port, producers);
    (trace.label ? result.labels : reals).push_back(std::move(trace));
  }
  result.scores = ordered(reals, result.labels, producers);
  for (Trace& chosen : result.scores)
    for (const auto* all : {&reals, &result.labels})
      for (const Trace& other : *all)
        if (chosen.scores.classes.empty() && !other.scores.classes.empty()) {
          chosen.scores.classes = other.scores.classes;
          chosen.scores.integer_classes = other.scores.integer_classes;
        }
  confirm_probabilities(graph, result);
  if (result.labels.size() > most_labels) result.labels.resize(most_labels);
  return result;
}

}  // namespace scfe::onnx
