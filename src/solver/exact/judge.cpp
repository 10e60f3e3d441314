#include "solver/exact/judge.h"

#include <algorithm>
#include <cmath>

#include "actionability/links.h"

namespace scfe {

ExactJudge::ExactJudge(const ExactJob& job, const ExactGoal& goal)
    : job_(job),
      goal_(goal),
      may_differ_(job.ensemble.may_differ()),
      inputs_(job.space.inputs()),
      z_(job.ensemble.base.size()),
      least_z_(z_.size()),
      most_z_(z_.size()),
      columns_(job.space.columns()) {
  if (!job.density) return;
  u_ = Block(job.density->features(), batch);
  anchors_ = Block(job.density->features(), batch);
  log_density_.resize(padded(batch));
  scratch_.resize(job.density->scratch(batch));
}

bool ExactJudge::begin(const Row& row) {
  row_ = &row;
  found_ = false;
  best_support_.clear();
  densities_ = 0;
  factual_density_ = 0;
  set_support({});
  fill_values({});
  factual_holds_ = walk();
  factual_unknown_ = unknown_;
  factual_margin_ = margin_;
  if (job_.density) {
    for (std::size_t j = 0; j < anchors_.features(); ++j)
      std::fill_n(anchors_[j], anchors_.stride(), row.anchor[j]);
    place(0);
    evaluate_densities(1);
    factual_density_ = log_density_[0];
  }
  if (factual_holds_) factual_holds_ = !row.rejects(row.values);
  return std::isfinite(factual_margin_) && std::isfinite(factual_density_);
}

void ExactJudge::set_mode(Mode mode) {
  mode_ = mode;
  densities_ = 0;
  found_ = false;
  limit_ = cost_ = merit_ = least_unknown_ = INFINITY;
  best_support_.clear();
  best_values_ = row_->values;
}

void ExactJudge::begin_with(std::span<const double> answer) {
  Choice choice;
  support_.clear();
  for (std::size_t f = 0; f < answer.size(); ++f) {
    if (answer[f] == row_->values[f] || job_.space.is_derived(f)) continue;
    if (support_.size() == choice.value.size()) return;
    choice.value[support_.size()] = answer[f];
    choice.cost += job_.space.cost(f, row_->values[f], answer[f]);
    support_.push_back(static_cast<std::uint16_t>(f));
  }
  (void)look({&choice, 1});
}

void ExactJudge::fill_values(const Choice& choice) {
  values_ = row_->values;
  for (std::size_t i = 0; i < support_.size(); ++i) values_[support_[i]] = choice.value[i];
  if (row_->links != nullptr) row_->links->complete(values_);
}

bool ExactJudge::walk() {
  job_.space.to_inputs(values_, inputs_);
  job_.ensemble.scores(inputs_, z_);
  margin_ = goal_.margin(z_);
  unknown_ = false;
  if (!goal_.holds(margin_) || !may_differ_) return goal_.holds(margin_);
  job_.ensemble.score_bounds(inputs_, least_z_, most_z_);
  const bool holds = goal_.holds(goal_.least_margin(least_z_, most_z_));
  unknown_ = !holds && goal_.holds(goal_.most_margin(least_z_, most_z_));
  return holds;
}

void ExactJudge::place(std::size_t lane) {
  job_.space.to_columns(values_, columns_);
  for (std::size_t j = 0; j < columns_.size(); ++j) u_[j][lane] = static_cast<float>(columns_[j]);
}

void ExactJudge::evaluate_densities(std::size_t count) {
  u_.set_lanes(count);
  anchors_.set_lanes(count);
  job_.density->evaluate(u_, anchors_, log_density_.data(), nullptr, nullptr, scratch_.data());
  densities_ += count;
}

// The next batch is taken only if every candidate of this one misses the floor, so none above the floor is
// left out. Of equally plausible candidates the cheapest is kept.
void ExactJudge::keep(double cost, double log_density) {
  const double merit = mode_ == Mode::most_plausible ? -log_density : cost;
  if (merit > merit_ || (merit == merit_ && cost >= cost_)) return;
  found_ = true;
  merit_ = merit;
  cost_ = cost;
  limit_ = mode_ == Mode::most_plausible ? INFINITY : cost;
  best_margin_ = margin_;
  best_density_ = log_density;
  best_values_ = values_;
  best_support_ = support_;
}

bool ExactJudge::look(std::span<const Choice> choices) {
  const bool with_density = job_.density && (row_->floor || mode_ == Mode::most_plausible);
  std::array<std::size_t, batch> open;
  std::size_t count = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].cost >= limit_) break;
    fill_values(choices[i]);
    if (!row_->keeps_rules(values_)) continue;
    if (with_density) place(count);
    open[count++] = i;
  }
  if (with_density && count > 0) evaluate_densities(count);
  for (std::size_t n = 0; n < count; ++n) {
    const double density = with_density ? static_cast<double>(log_density_[n]) : 0;
    if (mode_ == Mode::cheapest_above_floor && density < *row_->floor) continue;
    if (choices[open[n]].cost >= limit_ || !std::isfinite(density)) continue;
    // What would not replace the incumbent need not be checked.
    const bool loses = mode_ == Mode::most_plausible &&
                       (-density > merit_ || (-density == merit_ && choices[open[n]].cost >= cost_));
    if (loses && !may_differ_) continue;
    fill_values(choices[open[n]]);
    const bool holds = walk() && !loses;
    const bool closest_unknown = unknown_ && choices[open[n]].cost < least_unknown_;
    if ((!holds && !closest_unknown) || row_->rejects(values_)) continue;
    if (closest_unknown) least_unknown_ = choices[open[n]].cost;
    if (!holds) continue;
    keep(choices[open[n]].cost, density);
    if (mode_ != Mode::most_plausible) return true;
  }
  return false;
}

void ExactJudge::answer(Found& found) {
  if (found_ && mode_ == Mode::cheapest && job_.density) {
    values_ = best_values_;
    place(0);
    evaluate_densities(1);
    best_density_ = log_density_[0];
  }
  found.values = found_ ? best_values_ : row_->values;
  found.support.assign(best_support_.begin(), best_support_.end());
  found.margin = found_ ? best_margin_ : factual_margin_;
  found.log_density = found_ ? best_density_ : factual_density_;
}

}  // namespace scfe
