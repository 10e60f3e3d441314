#include "model/onnx/choice/choose.h"

#include <algorithm>

#include "model/onnx/choice/agreement.h"
#include "model/onnx/choice/candidates.h"
#include "model/onnx/choice/range.h"
#include "model/onnx/element_types.h"
#include "model/onnx/output_of.h"
#include "scfe/error.h"

namespace scfe::onnx {
namespace {

std::shared_ptr<const Model> compiled(const Reading& reading) {
  if (!computes_in_double(reading.graph, reading.options)) return compile<float>(reading);
  auto model = compile<double>(reading);
  return model->ensemble() && !is_in_double(reading.graph) ? compile<float>(reading) : model;
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
  // True if the operators before the score squash it, so that it may not be a logit. The test points alone do
  // not tell: compared with incomes, for example, all of them are close to 0.
  bool may_be_probability(const Trace& trace) const {
    return is_open(trace) && !trace.scores.probability &&
           output_of(graph_, trace.scores) != Model::Output::number &&
           is_squashed(trace.scores.value, Producers(graph_));
  }

  // The model that computes a value of the graph; null if it cannot be computed.
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
      // A classifier with the same raw scores agrees by definition, if its class names are the same.
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
