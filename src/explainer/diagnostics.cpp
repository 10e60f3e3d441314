#include "scfe/diagnostics.h"

#include <algorithm>
#include <cmath>

#include "actionability/links.h"
#include "answer/describe.h"
#include "explainer/scoring.h"
#include "explainer/state.h"
#include "keep/pertinent.h"
#include "model/trees/ensemble.h"
#include "plan/catalogue.h"
#include "scfe/error.h"
#include "stability/robustness.h"
#include "support/parallel.h"
#include "support/text.h"

namespace scfe {

Matrix Diagnostics::to_work_space(const Matrix& rows) const {
  check_rows(rows, explainer_.state_->model->features(), "rows");
  return work_rows(explainer_.state_->space, rows, "rows");
}

std::size_t Explainer::State::checked_class(int target) const {
  if (target < 0 || static_cast<std::size_t>(target) >= classes->rows.size())
    throw Error("target", "a class from 0 to " + std::to_string(classes->rows.size() - 1),
                std::to_string(target));
  return static_cast<std::size_t>(target);
}

Matrix Diagnostics::class_rows(int target) const {
  const Explainer::State& s = *explainer_.state_;
  return s.space.columns_of_short(s.classes->rows[s.checked_class(target)]);
}

std::size_t Diagnostics::class_size(int target) const {
  return explainer_.state_->classes->rows[explainer_.state_->checked_class(target)].rows;
}

std::vector<double> Diagnostics::class_values(int target, std::size_t feature) const {
  const Matrix& rows = explainer_.state_->classes->rows[explainer_.state_->checked_class(target)];
  const Space& space = explainer_.state_->space;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    values.push_back(space.values_of_short(rows[i])[feature]);
  }
  return values;
}

std::vector<int> Diagnostics::groups() const { return explainer_.state_->space.groups(); }

bool Diagnostics::has_density(int target) const {
  return explainer_.state_->fitted_options.density != DensityKind::none &&
         explainer_.state_->classes->densities[explainer_.state_->checked_class(target)].density != nullptr;
}

Typicality Diagnostics::typicality(std::span<const double> factual, std::span<const double> answer,
                                   int target) const {
  const FittedDensity& fitted =
      explainer_.state_->classes->densities[explainer_.state_->checked_class(target)];
  if (!has_density(target)) throw Error("target", "a class with a density", std::to_string(target));
  const Space& space = explainer_.state_->space;
  std::vector<double> from(space.columns()), to(space.columns());
  space.to_columns(space.to_values(factual), from);
  space.to_columns(space.to_values(answer), to);
  Block x(space.columns(), 1), anchors(space.columns(), 1);
  std::vector<float> anchor(space.columns()), scratch(fitted.density->scratch(1)), value(x.padded_lanes());
  fitted.density->anchor(std::vector<float>(from.begin(), from.end()), anchor);
  for (std::size_t j = 0; j < space.columns(); ++j) {
    x[j][0] = static_cast<float>(to[j]);
    anchors[j][0] = anchor[j];
  }
  fitted.density->evaluate(x, anchors, value.data(), nullptr, nullptr, scratch.data());
  return {value[0], quantile_of(fitted, value[0])};
}

double Diagnostics::floor(int target, double share) const {
  if (!has_density(target)) throw Error("target", "a class with a density", std::to_string(target));
  return floor_at(explainer_.state_->classes->densities[explainer_.state_->checked_class(target)], share);
}

Change Diagnostics::change(std::span<const double> from, std::span<const double> to) const {
  const Space& space = explainer_.state_->space;
  const std::vector<double> a = space.to_values(from), b = space.to_values(to);
  const Lengths lengths = lengths_of(space, a, b);
  Change change{.l2 = lengths.l2, .l1 = lengths.l1, .distance = lengths.distance};
  for (std::size_t f = 0; f < a.size(); ++f) {
    if (space.is_derived(f)) continue;
    const double step = explainer_.state_->writing.step[f];
    change.l0 += std::abs(b[f] - a[f]) > std::max(0.5 * step, 1e-9 * space.range(f));
  }
  return change;
}

bool Diagnostics::is_derived(std::size_t feature) const {
  return explainer_.state_->space.is_derived(feature);
}

std::vector<std::string> Diagnostics::broken_rules(std::span<const double> factual,
                                                   std::span<const double> answer) const {
  const Explainer::State& s = *explainer_.state_;
  return Links({s.rules, s.space, s.writing}, s.features, s.space.to_values(factual))
      .broken(s.space.to_values(answer));
}

bool Diagnostics::can_prove(const Options& options) const {
  return may_prove(*explainer_.state_->model, options);
}

std::string Diagnostics::solver_summary() const {
  const Model& model = *explainer_.state_->model;
  const bool trees = model.ensemble() != nullptr, rules = !explainer_.state_->rules.empty();
  Options without_floor = explainer_.options();
  without_floor.plausible = 0;
  if (!can_prove(without_floor)) return "search; every answer is checked, none is proven to be the closest";
  return std::string("exact (") + (trees ? "a tree ensemble" : "a linear score") +
         "); answers without a floor (--plausible none) are proven to be the closest" +
         (rules ? ", unless rules between features exclude what would be closer" : "") +
         (trees && model.ensemble()->may_differ()
              ? ", unless a closer one depends on digits that the file does not have (docs/trees.md)"
              : "");
}

std::string Diagnostics::density_summary(int target) const {
  return class_size(target) == 0
             ? "no rows"
             : explainer_.state_->classes->densities[static_cast<std::size_t>(target)].summary;
}

namespace {

// Removes `most` of the rows, evenly spread, or all if there are fewer, and returns them.
std::vector<std::vector<double>> spread_out(std::vector<std::vector<double>>& rows, std::size_t most) {
  const std::size_t count = std::min(most, rows.size());
  std::vector<std::vector<double>> taken, left;
  for (std::size_t i = 0, next = 0; i < rows.size(); ++i) {
    const bool take = next < count && i == next * rows.size() / count;
    (take ? taken : left).push_back(std::move(rows[i]));
    next += take ? 1 : 0;
  }
  rows.swap(left);
  return taken;
}

}  // namespace

std::vector<Pertinent> Diagnostics::pertinent(const Matrix& factuals, double share) const {
  const Explainer::State& s = *explainer_.state_;
  check_rows(factuals, s.model->features(), "factuals");
  if (!(share > 0 && share <= 1)) throw Error("share", "a number above 0 and up to 1", number(share));
  constexpr std::size_t rows_to_choose_by = 200, rows_to_state_on = 2000;
  std::vector<std::vector<double>> all;
  for (const Matrix& rows : s.classes->rows)
    for (std::size_t i = 0; i < rows.rows; ++i) all.push_back(s.space.values_of_short(rows[i]));
  if (all.empty()) throw Error("training rows", "some that are correctly classified", "none");
  const std::optional<Reach> reach = score_reach(*s.model, s.fitted_options.reach);
  const auto decide = [&](std::span<const float> scores) {
    return winner({scores.begin(), scores.end()}, reach);
  };
  PertinentJob job{*s.model, s.space, spread_out(all, rows_to_choose_by), {}, share, decide};
  job.stated_on = all.empty() ? job.chosen_by : spread_out(all, rows_to_state_on);
  std::vector<Pertinent> found(factuals.rows);
  Pool pool(static_cast<std::size_t>(s.fitted_options.threads));
  work_rows(s.space, factuals, "factuals");
  pool.each(factuals.rows,
            [&](std::size_t i) { found[i] = pertinent_features(job, s.space.to_values(factuals[i])); });
  return found;
}

std::vector<Stability> Diagnostics::stability(const Matrix& answers, const Options& options,
                                              std::span<const Target> targets) const {
  const Explainer::State& s = *explainer_.state_;
  s.check_question(answers, options, targets);
  if (targets.size() != answers.rows)
    throw Error("targets", std::to_string(answers.rows) + " (one per answer)",
                std::to_string(targets.size()));
  Pool pool(static_cast<std::size_t>(options.threads));
  std::vector<Stability> found(answers.rows);
  pool.each(answers.rows, [&](std::size_t i) {
    const int target = s.target_class(targets[i], i, 0);
    const Fitted fitted = s.fitted(static_cast<std::size_t>(target));
    const Query query(fitted, options, target, {}, pool);
    const Robustness least(query);
    const double margin = least(s.space.to_values(answers[i]));
    found[i] = {margin > query.validity.decision_margin(), least.proof(), margin};
  });
  return found;
}

}  // namespace scfe
