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
#include "model/additive.h"
#include "scfe/error.h"
#include "stability/robustness.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t chunk_rows = 4096;  // bounds the memory of a long batch

}  // namespace

void Explainer::State::check_query(const Matrix& factuals, const Options& query,
                                   std::span<const int> targets) const {
  check_options(query);
  check_rows(factuals, model->features(), "factuals");
  work_rows(space, factuals, "factuals");
  const std::size_t d = features.size();
  // The default may exceed the number of features of a small table; a number that the user set may not.
  const bool chosen = query.max_changes != Options{}.max_changes;
  if (chosen && static_cast<std::size_t>(query.max_changes) > d)
    throw Error("max-changes", "a whole number from 1 to " + std::to_string(d) + " (features)",
                std::to_string(query.max_changes));
  if (!targets.empty() && targets.size() != factuals.rows)
    throw Error("targets", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(targets.size()));
  if (query.density != options.density && query.density != DensityKind::none &&
      query.density != DensityKind::automatic)
    throw Error("density", "'" + std::string(name_of(options.density)) + "' as fitted, or none",
                "'" + std::string(name_of(query.density)) + "'");
  if (query.solver == Solver::search && query.sparsity != SparsityKind::top_m)
    throw Error("sparsity", "top_m with solver search", "'" + std::string(name_of(query.sparsity)) + "'");
  if (query.solver == Solver::exact) check_exact(query);
  const bool plain = query.answers == 1 && !query.path && query.robust == 0;
  if (!plain && query.sparsity != SparsityKind::top_m)
    throw Error("sparsity", "top_m (a limit m) beside answers, path and robust",
                "'" + std::string(name_of(query.sparsity)) + "'");
  if (query.robust > 0 && query.probability > 0 && model->scores() > 2)
    throw Error("robust", "no probability beside it (of more than two classes)", number(query.probability));
  if (query.reach != options.reach)
    throw Error("reach", "'" + options.reach + "' as fitted", "'" + query.reach + "'");
  if (query.tune && query.density == DensityKind::knn && !options.tune)
    throw Error("tune", "to be set when fitting too: it needs densities with other k",
                "set for the query alone");
  const bool targeted = query.target.is_class() || std::ranges::any_of(targets, [](int t) { return t >= 0; });
  check_certify(*model, space, query);
  check_method({*model, space, rules, query, autoencoder.get(), targeted});
}

// Throws Error for questions that the exact solvers cannot answer.
void Explainer::State::check_exact(const Options& query) const {
  const bool trees = model->ensemble() != nullptr;
  const bool linear = !trees && (model->linear() != nullptr || is_additive(*model));
  if (query.sparsity != SparsityKind::top_m || (!trees && !linear))
    throw Error("solver",
                "auto, search or apg (exact is for tree ensembles and linear scores under a limit m)",
                "exact");
  if (!linear) return;
  const DensityKind density = query.density == DensityKind::automatic ? options.density : query.density;
  for (const auto& [unknown, what] :
       {std::pair{model->scores() > 1, "several classes"},
        {density != DensityKind::none && query.plausible > 0, "a floor (plausible 0 has none)"},
        {!query.reach.empty(), "a range to reach"},
        {query.answers > 1, "several answers"},
        {query.robust > 0, "robust answers"}})
    if (unknown)
      throw Error("solver", std::string("auto or search where a linear score meets ") + what, "exact");
}

int Explainer::State::target_class(int target, std::size_t row, int predicted) const {
  const std::size_t count = model->classes();
  if (!options.reach.empty()) target = 1;
  if (target == Target::other() && count == 2) target = 1 - predicted;
  if (target < 0 || static_cast<std::size_t>(target) >= count)
    throw Error("target of row " + std::to_string(row), "a class from 0 to " + std::to_string(count - 1),
                std::to_string(target));
  if (!classes->densities[static_cast<std::size_t>(target)].density)
    throw Error("target of row " + std::to_string(row), "a class with correctly classified training rows",
                std::to_string(target) + ", which has none");
  return target;
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals, const Options& options,
                                            std::span<const int> targets, std::span<const RowLimits> limits,
                                            std::stop_token stop) const {
  std::vector<Explanation> best;
  for (std::vector<Explanation>& list : explain_all(factuals, options, targets, limits, std::move(stop)))
    best.push_back(std::move(options.path ? list.back() : list.front()));
  return best;
}

// The target classes of each row, in order: one, or all but the predicted one.
std::vector<std::vector<int>> Explainer::State::target_classes(const Options& query,
                                                               std::span<const int> targets,
                                                               std::span<const int> predicted) const {
  std::vector<std::vector<int>> aims(predicted.size());
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const int target = keeps_class(query.method) ? predicted[row]
                       : targets.empty()         ? query.target.number()
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

std::vector<std::vector<Explanation>> Explainer::explain_all(const Matrix& factuals, const Options& asked,
                                                             std::span<const int> targets,
                                                             std::span<const RowLimits> limits,
                                                             std::stop_token stop) const {
  const State& s = *state_;
  if (!limits.empty() && limits.size() != factuals.rows)
    throw Error("row limits", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(limits.size()));
  if (s.options.density == DensityKind::none &&
      std::ranges::any_of(limits, [](const RowLimits& row) { return row.log_density.has_value(); }))
    throw Error("row limits: log_density:min", "a density to limit", "density none");
  s.check_query(factuals, asked, targets);
  Options query = asked;
  query.max_changes = std::min(query.max_changes, static_cast<int>(s.features.size()));
  if (query.density == DensityKind::automatic) query.density = s.options.density;
  const Deadline deadline(query.time_limit, std::move(stop));
  Pool pool(static_cast<std::size_t>(query.threads));
  const auto scores = score_rows(*s.model, factuals, pool);
  std::vector<int> predicted;
  const std::optional<Reach> reach = score_reach(*s.model, query.reach);
  for (const std::vector<double>& score : scores) predicted.push_back(winner(score, reach));
  const std::vector<std::vector<int>> aims = s.target_classes(query, targets, predicted);
  std::vector<std::vector<Explanation>> lists(factuals.rows);
  for (std::size_t first = 0; first < factuals.rows; first += chunk_rows) {
    const std::size_t last = std::min(first + chunk_rows, factuals.rows);
    std::vector<std::size_t> chunk(last - first);
    std::iota(chunk.begin(), chunk.end(), first);
    s.answer_classes({factuals, chunk, limits}, {query, deadline, pool, scores, aims}, lists);
    std::map<int, std::vector<std::size_t>> by_answer;
    // Hints take most of the time of a row without a valid answer. Of several classes, only the one that is
    // answered gets them.
    for (std::size_t i = first; i < last; ++i)
      by_answer[(query.path ? lists[i].back() : lists[i].front()).target].push_back(i);
    for (const auto& [target, rows] : by_answer) {
      const Fitted fitted = s.fitted(static_cast<std::size_t>(target));
      add_hints(Query(fitted, query, target, deadline, pool), {factuals, rows, limits}, lists);
    }
  }
  s.complete(lists, predicted, pool);
  return lists;
}

// Adds what depends on the model's scores at each answer, such as its probability.
void Explainer::State::complete(std::vector<std::vector<Explanation>>& lists, std::span<const int> predicted,
                                Pool& pool) const {
  std::size_t count = 0;
  for (const auto& list : lists) count += list.size();
  Matrix answers(count, model->features());
  std::size_t at = 0;
  for (const auto& list : lists)
    for (const Explanation& e : list)
      std::copy(e.counterfactual.begin(), e.counterfactual.end(), answers[at++].begin());
  const auto scores = score_rows(*model, answers, pool);
  const std::optional<Reach> reach = score_reach(*model, options.reach);
  at = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (Explanation& e : lists[i]) {
      e.predicted = predicted[i];
      if (reach) {
        e.output = output_of(*model, scores[at][0]);
        e.probability = reach->holds(scores[at][0]) ? 1 : 0;
      } else {
        e.probability = probabilities_of(scores[at])[static_cast<std::size_t>(e.target)];
      }
      ++at;
    }
  }
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals) const {
  return explain(factuals, state_->options);
}

Explanation Explainer::explain_one(std::span<const double> factual, const Options& options) const {
  Matrix row(1, factual.size());
  std::copy(factual.begin(), factual.end(), row.values.begin());
  return std::move(explain(row, options).front());
}

Explanation Explainer::explain_one(std::span<const double> factual) const {
  return explain_one(factual, state_->options);
}

}  // namespace scfe
