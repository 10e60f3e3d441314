#include "solver/search/polish.h"

#include <algorithm>
#include <cmath>

#include "solver/search/link_cuts.h"

namespace scfe {

Polish::Polish(const Query& query, std::size_t max_changes)
    : query_(query),
      current_(query, max_changes),
      trial_(query, max_changes),
      best_(query, max_changes),
      cuts_(max_cuts) {
  kappa_.reserve(max_changes);
  for (Cut& cut : cuts_) cut.slope.reserve(max_changes);
}

void Polish::begin(const Row& row, const Goal& goal, const PolishLimits& limits,
                   std::span<const int> support) {
  row_ = &row;
  goal_ = goal;
  limits_ = limits;
  cut_count_ = 0;
  region_ = limits.region;
  round_ = 0;
  bend_ = 1;
  started_ = found_ = false;
  active_ = true;
  for (Point* point : {&current_, &trial_, &best_}) {
    point->base = &row;
    point->support.assign(support.begin(), support.end());
    point->w.assign(support.size(), 0.0);
  }
  kappa_.assign(support.size(), 0.0);
}

void Polish::start(const Row& row, const Goal& goal, const PolishLimits& limits, std::span<const int> support,
                   std::span<const double> w) {
  begin(row, goal, limits, support);
  for (std::size_t i = 0; i < support.size(); ++i) {
    const auto j = static_cast<std::size_t>(support[i]);
    trial_.w[i] = std::clamp(w[i], row.lo[j], row.hi[j]);
  }
}

void Polish::fill_values(const Point& p) const {
  values_ = row_->values;
  for (std::size_t i = 0; i < p.w.size(); ++i) {
    const auto j = static_cast<std::size_t>(p.support[i]);
    values_[query_.fitted.space.feature_of(j)] =
        query_.fitted.space.to_original(j, row_->factual[j] + p.w[i]);
  }
  row_->links->complete_relaxed(values_);
}

// Violations below the effect of rounding count as 0.
double Polish::link_violation(const Point& p) const {
  if (row_->links == nullptr) return 0;
  fill_values(p);
  const double amount = row_->links->violation(values_);
  return amount > 1e-7 ? amount : 0;
}

double Polish::violation(const Point& p) const { return goal_.violation(p) + link_violation(p); }

double Polish::penalised(const Point& p) const { return goal_.objective(p) + goal_.penalty * violation(p); }

double Polish::cut_at(const Cut& cut, const std::vector<double>& w) const {
  double margin = cut.offset;
  for (std::size_t i = 0; i < w.size(); ++i) margin += cut.slope[i] * w[i];
  return margin;
}

// Accepts the trial as the current point.
void Polish::settle() {
  std::swap(current_, trial_);
  phi_ = penalised(current_);
  if (goal_.with_density()) query_.density().curvature(current_.weights, current_.support, kappa_);
}

// A rejected, invalid trial shows where the linearisation at w was wrong. The linearisation at the trial is
// kept as a cut, unless it would cut off w.
bool Polish::store_cut() {
  if (trial_.margin[0] >= goal_.aimed_margin()) return false;
  const float* slope = trial_.gradient_of(0);
  double at_zero = trial_.margin[0], at_current = trial_.margin[0];
  for (std::size_t i = 0; i < trial_.w.size(); ++i) {
    const double a = slope[trial_.support[i]];
    at_zero -= a * trial_.w[i];
    at_current += a * (current_.w[i] - trial_.w[i]);
  }
  const double here = current_.margin[0];
  if (!(at_current >= here - 1e-9 - 1e-3 * std::abs(here))) return false;

  if (cut_count_ == max_cuts) {
    std::rotate(cuts_.begin(), cuts_.begin() + 1, cuts_.end());
    --cut_count_;
  }
  Cut& cut = cuts_[cut_count_++];
  cut.offset = at_zero;
  cut.slope.resize(trial_.w.size());
  for (std::size_t i = 0; i < trial_.w.size(); ++i) cut.slope[i] = slope[trial_.support[i]];
  return true;
}

void Polish::drop_stale_cuts() {
  const double here = current_.margin[0];
  for (std::size_t i = 0; i < cut_count_;) {
    if (cut_at(cuts_[i], current_.w) < here - 1e-6 - 1e-3 * std::abs(here)) {
      std::rotate(cuts_.begin() + static_cast<std::ptrdiff_t>(i),
                  cuts_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  cuts_.begin() + static_cast<std::ptrdiff_t>(cut_count_));
      --cut_count_;
    } else {
      ++i;
    }
  }
}

// Without a bound on the curvature: the factor with which the quadratic model would have given the trial's
// log q. One trial changes it at most eightfold, and it stays above 0, so that the model stays concave.
void Polish::correct_curvature() {
  if (!goal_.with_density() || query_.density().has_curvature_bound()) return;
  double linear = current_.log_density, quadratic = 0;
  for (std::size_t i = 0; i < trial_.w.size(); ++i) {
    const double step = trial_.w[i] - current_.w[i];
    linear += current_.density_gradient[static_cast<std::size_t>(current_.support[i])] * step;
    quadratic += 0.5 * kappa_[i] * step * step;
  }
  const double seen = (linear - trial_.log_density) / quadratic;
  if (quadratic > 0 && std::isfinite(seen)) bend_ = std::max(std::clamp(seen, bend_ / 8, 8 * bend_), 1e-3);
}

void Polish::write_problem(Qp& qp) const {
  const std::size_t size = current_.w.size();
  qp.reset(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto j = static_cast<std::size_t>(current_.support[i]);
    qp.weight[i] = goal_.nearness * goal_.weight[j];
    qp.lo[i] = std::max(row_->lo[j], current_.w[i] - region_);
    qp.hi[i] = std::min(row_->hi[j], current_.w[i] + region_);
    qp.w[i] = current_.w[i];
    qp.g[i] = goal_.with_density() ? current_.density_gradient[j] : 0;
    qp.kappa[i] = bend_ * kappa_[i];
  }
  qp.value = current_.log_density;
  qp.floor = goal_.aimed_floor();
  qp.with_floor = goal_.with_floor;
  qp.tau = goal_.tau;
  for (std::size_t r = 0; r < query_.validity.rivals(); ++r) {
    const float* slope = current_.gradient_of(r);
    double offset = current_.margin[r];
    for (std::size_t i = 0; i < size; ++i) offset -= slope[current_.support[i]] * current_.w[i];
    const std::span<double> cut = qp.add_cut(goal_.aimed_margin() - offset);
    for (std::size_t i = 0; i < size; ++i) cut[i] = slope[current_.support[i]];
  }
  for (std::size_t c = 0; c < cut_count_; ++c) {
    const std::span<double> cut = qp.add_cut(goal_.aimed_margin() - cuts_[c].offset);
    std::copy(cuts_[c].slope.begin(), cuts_[c].slope.end(), cut.begin());
  }
  if (row_->links == nullptr) return;
  fill_values(current_);
  add_link_cuts(*row_->links, {current_.support, current_.w, values_}, goal_.margin_scale, qp);
}

void Polish::propose(Qp& qp) {
  if (round_++ >= limits_.rounds) {
    active_ = false;
    return;
  }
  write_problem(qp);
  qp.solve();
  prospect_ = qp.cost();
  step_ = 0;
  for (std::size_t i = 0; i < trial_.w.size(); ++i) {
    trial_.w[i] = qp.solution()[i];
    step_ = std::max(step_, std::abs(trial_.w[i] - current_.w[i]));
  }
  // Where the margin is concave, the steps approach the feasible side from outside: the last, short one leads
  // there.
  const bool leads_inside = !found_ && step_ > 0 &&
                            qp.cut_shortfall() < goal_.aimed_margin() - goal_.margin &&
                            qp.floor_shortfall() <= goal_.aimed_floor() - goal_.floor;
  if (!(step_ >= limits_.tolerance) && !leads_inside) active_ = false;
}

void Polish::digest(Qp& qp) {
  const bool better = !found_ || goal_.objective(trial_) < goal_.objective(best_);
  if (better && goal_.feasible(trial_) && link_violation(trial_) == 0) {
    best_ = trial_;
    found_ = true;
  }
  const double phi = penalised(trial_);
  if (started_) correct_curvature();
  if (!started_) {
    started_ = true;
    settle();
  } else if (phi < phi_ - 1e-9 * std::abs(phi_) - 1e-12) {
    const double gain = phi_ - phi;
    settle();
    if (step_ > 0.9 * region_) region_ = std::min(1.0, 2 * region_);
    drop_stale_cuts();
    if (gain < 1e-7 * std::max(1e-3, std::abs(phi_)) && violation(current_) < 1e-9) active_ = false;
  } else {
    region_ = std::min(region_, step_) * (store_cut() ? 0.7 : 0.4);
    if (!(region_ >= limits_.tolerance)) active_ = false;
  }
  if (!std::isfinite(phi)) active_ = false;
  if (active_) propose(qp);
}

}  // namespace scfe
