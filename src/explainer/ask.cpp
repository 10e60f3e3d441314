// Explainer::explain and explain_all: checks the question, finds the target classes, and solves.
#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "answer/hints.h"
#include "explainer/scoring.h"
#include "explainer/state.h"
#include "method/catalogue.h"
#include "method/certify_rows.h"
#include "plan/catalogue.h"
#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t chunk_rows = 4096;  // bounds the memory of a long batch

}  // namespace

void Explainer::State::check_question(const Matrix& factuals, const Options& options,
                                      std::span<const Target> targets) const {
  check_options(options);
  check_rows(factuals, model->features(), "factuals");
  work_rows(space, factuals, "factuals");
  if (!targets.empty() && targets.size() != factuals.rows)
    throw Error("targets", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(targets.size()));
  if (options.density != fitted_options.density && options.density != DensityKind::none &&
      options.density != DensityKind::automatic)
    throw Error("density", "'" + std::string(name_of(fitted_options.density)) + "' as fitted, or none",
                "'" + std::string(name_of(options.density)) + "'");
  check_solver(*model, as_fitted(options));
  const bool plain = options.answers == 1 && !options.path && options.robust == 0;
  if (!plain && options.sparsity != SparsityKind::top_m)
    throw Error("sparsity", "top_m (a limit m) beside answers, path and robust",
                "'" + std::string(name_of(options.sparsity)) + "'");
  if (options.robust > 0 && options.probability > 0 && model->scores() > 2)
    throw Error("robust", "no probability beside it (of more than two classes)", number(options.probability));
  if (options.reach != fitted_options.reach)
    throw Error("reach", "'" + fitted_options.reach + "' as fitted", "'" + options.reach + "'");
  if (options.tune && options.density == DensityKind::knn && !fitted_options.tune)
    throw Error("tune", "to be set when fitting too: it needs densities with other k",
                "set for the query alone");
  const bool targeted = options.target.is_class() || std::ranges::any_of(targets, &Target::is_class);
  check_certify(*model, space, options);
  check_method({*model, space, rules, options, autoencoder.get(), targeted});
}

Options Explainer::State::as_fitted(Options options) const {
  options.max_changes = std::min(options.max_changes, static_cast<int>(features.size()));
  if (options.density == DensityKind::automatic) options.density = fitted_options.density;
  return options;
}

int Explainer::State::target_class(Target target, std::size_t row, int predicted) const {
  const std::size_t count = model->classes();
  if (!fitted_options.reach.empty()) target = 1;
  if (target == Target::other() && count == 2) target = 1 - predicted;
  const int number = target.number();
  if (number < 0 || static_cast<std::size_t>(number) >= count)
    throw Error("target of row " + std::to_string(row), "a class from 0 to " + std::to_string(count - 1),
                target.is_class() ? std::to_string(number) : "other");
  if (!classes->densities[static_cast<std::size_t>(number)].density)
    throw Error("target of row " + std::to_string(row), "a class with correctly classified training rows",
                std::to_string(number) + ", which has none");
  return number;
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals, const Options& options,
                                            std::span<const Target> targets,
                                            std::span<const RowLimits> limits, std::stop_token stop) const {
  std::vector<Explanation> best;
  for (std::vector<Explanation>& list : explain_all(factuals, options, targets, limits, std::move(stop)))
    best.push_back(std::move(options.path ? list.back() : list.front()));
  return best;
}

// The target classes of each row, in order: one, or all but the predicted one.
std::vector<std::vector<int>> Explainer::State::target_classes(const Options& options,
                                                               std::span<const Target> targets,
                                                               std::span<const int> predicted) const {
  std::vector<std::vector<int>> aims(predicted.size());
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const Target target = keeps_class(options.method) ? Target(predicted[row])
                          : targets.empty()           ? options.target
                                                      : targets[row];
    if (target != Target::any()) {
      aims[row] = {target_class(target, row, predicted[row])};
      continue;
    }
    for (std::size_t c = 0; c < model->classes(); ++c)
      if (static_cast<int>(c) != predicted[row] && classes->densities[c].density)
        aims[row].push_back(static_cast<int>(c));
    if (aims[row].empty())
      throw Error("target of row " + std::to_string(row),
                  "another class with correctly classified training rows", "none");
  }
  return aims;
}

std::vector<std::vector<Explanation>> Explainer::explain_all(const Matrix& factuals, const Options& given,
                                                             std::span<const Target> targets,
                                                             std::span<const RowLimits> limits,
                                                             std::stop_token stop) const {
  const State& s = *state_;
  if (!limits.empty() && limits.size() != factuals.rows)
    throw Error("row limits", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(limits.size()));
  if (s.fitted_options.density == DensityKind::none &&
      std::ranges::any_of(limits, [](const RowLimits& row) { return row.log_density.has_value(); }))
    throw Error("row limits: log_density:min", "a density to limit", "density none");
  s.check_question(factuals, given, targets);
  const Options options = s.as_fitted(given);
  const Deadline deadline(options.time_limit, std::move(stop));
  Pool pool(static_cast<std::size_t>(options.threads));
  const auto scores = score_rows(*s.model, factuals, pool);
  std::vector<int> predicted;
  const std::optional<Reach> reach = score_reach(*s.model, options.reach);
  for (const std::vector<double>& score : scores) predicted.push_back(winner(score, reach));
  const std::vector<std::vector<int>> aims = s.target_classes(options, targets, predicted);
  std::vector<std::vector<Explanation>> lists(factuals.rows);
  for (std::size_t first = 0; first < factuals.rows; first += chunk_rows) {
    const std::size_t last = std::min(first + chunk_rows, factuals.rows);
    std::vector<std::size_t> chunk(last - first);
    std::iota(chunk.begin(), chunk.end(), first);
    s.answer_classes({factuals, chunk, limits}, {options, deadline, pool, scores, aims}, lists);
    std::map<int, std::vector<std::size_t>> by_answer;
    // Hints take most of the time of a row without a valid answer. Of several classes, only the one that is
    // answered gets them.
    for (std::size_t i = first; i < last; ++i)
      by_answer[(options.path ? lists[i].back() : lists[i].front()).target].push_back(i);
    for (const auto& [target, rows] : by_answer) {
      const Fitted fitted = s.fitted(static_cast<std::size_t>(target));
      add_hints(Query(fitted, options, target, deadline, pool), {factuals, rows, limits}, lists);
    }
  }
  s.complete(lists, predicted, pool);
  return lists;
}

// Adds what depends on the model's scores at each answer, such as its probability.
void Explainer::State::complete(std::vector<std::vector<Explanation>>& lists, std::span<const int> predicted,
                                Pool& pool) const {
  std::vector<Explanation*> all;
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (Explanation& e : lists[i]) {
      e.predicted = predicted[i];
      all.push_back(&e);
    }
  Matrix answers(all.size(), model->features());
  for (std::size_t k = 0; k < all.size(); ++k) std::ranges::copy(all[k]->counterfactual, answers[k].begin());
  const std::vector<Prediction> at = predictions_of(score_rows(*model, answers, pool));
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k]->probability = at[k].probability[static_cast<std::size_t>(all[k]->target)];
    if (!fitted_options.reach.empty()) all[k]->output = at[k].output;
  }
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals) const {
  return explain(factuals, state_->fitted_options);
}

Explanation Explainer::explain_one(std::span<const double> factual, const Options& options) const {
  Matrix row(1, factual.size());
  std::copy(factual.begin(), factual.end(), row.values.begin());
  return std::move(explain(row, options).front());
}

Explanation Explainer::explain_one(std::span<const double> factual) const {
  return explain_one(factual, state_->fitted_options);
}

}  // namespace scfe
