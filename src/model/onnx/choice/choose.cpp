#include "model/onnx/choice/choose.h"

#include <algorithm>

#include "model/onnx/choice/agreement.h"
#include "model/onnx/choice/candidates.h"
#include "model/onnx/choice/range.h"
#include "model/onnx/element_type.h"
#include "model/onnx/output_of.h"
#include "scfe/error.h"

namespace scfe::onnx {
namespace {

std::shared_ptr<const Model> compiled(const Reading& reading) {
  if (reading.options.precision != Precision::float64) return compile<float>(reading);
  auto model = compile<double>(reading);
  const bool wide = std::ranges::any_of(reading.graph.inputs, is_wide, &Port::element);
  return model->ensemble() && !wide ? compile<float>(reading) : model;
}

class Chooser {
 public:
  Chooser(const Graph& graph, const OnnxOptions& options) : graph_(graph), options_(options) {}

  Chosen run() {
    const Candidates candidates = candidates_of(graph_, options_.output);
    std::optional<Error> first;
    for (const Trace& trace : candidates.scores) {
      try {
        Trace read = trace;
        auto model = compiled({graph_, read.scores, options_});
        Answers answers(*model);
        if (may_be_probability(read) && answers.are_probabilities()) {
          read.scores.probability = true;
          model = compiled({graph_, read.scores, options_});
          answers = Answers(*model);
        }
        compare(read, candidates.labels, answers);
        return {std::move(read.scores), std::move(model)};
      } catch (const Error& error) {
        if (!first) first = error;
      }
    }
    throw *first;
  }

 private:
  // One number, of which nothing says that it is a logit. (The points alone do not tell: to a model of
  // incomes they are all nothing.)
  bool may_be_probability(const Trace& trace) const {
    return is_open(trace) && !trace.scores.probability &&
           output_of(graph_, trace.scores) != Model::Output::number &&
           is_squashed(trace.scores.value, Producers(graph_));
  }

  // A value of the graph as it stands; null where it cannot be computed.
  std::shared_ptr<const Model> value(const std::string& name) {
    if (name.empty()) return nullptr;
    OnnxOptions plain = options_;
    plain.scores = name;
    Scores scores;
    scores.value = scores.output = name;
    try {
      return compiled({graph_, scores, plain});
    } catch (const Error&) {
      return nullptr;
    }
  }

  void compare(const Trace& trace, const std::vector<Trace>& labels, const Answers& answers) {
    for (const Trace& label : labels) {
      // What is the same value by definition need not be computed again.
      const bool same = label.scores.value == trace.scores.value;
      if (label.classifier && same) {
        if (label.scores.classes != trace.scores.classes) unclear(label);
        continue;
      }
      const auto said = value(label.classifier      ? label.scores.value
                              : label.index.empty() ? label.scores.value
                                                    : label.index);
      const auto ranked = value(label.below);
      if (said) answers.expect_label(trace, label, *said, ranked.get());
    }
    if (trace.label || trace.classifier || trace.scores.looked_through.empty()) return;
    if (const auto shown = value(trace.shown)) answers.expect_largest(trace, *shown);
  }

  const Graph& graph_;
  const OnnxOptions& options_;
};

Scores named_by_user(const OnnxOptions& options) {
  Scores scores;
  scores.value = scores.output = options.scores;
  return scores;
}

}  // namespace

Chosen choose_scores(const Graph& graph, const OnnxOptions& options) {
  if (options.scores.empty()) return Chooser(graph, options).run();
  Chosen chosen{named_by_user(options), nullptr};
  chosen.model = compiled({graph, chosen.scores, options});
  return chosen;
}

Scores likely_scores(const Graph& graph, const OnnxOptions& options) {
  return options.scores.empty() ? candidates_of(graph, options.output).scores.at(0).scores
                                : named_by_user(options);
}

}  // namespace scfe::onnx
