// Which supports are worth a polish: each is predicted by the small QP around a state already
// evaluated, so that looking at all of them costs no model call.
#include <algorithm>
#include <cmath>

#include "solver/search.h"

namespace scfe {
namespace {

// Above this many features only those that promise most are predicted.
constexpr std::size_t all_features = 64;
constexpr std::size_t promising_features = 48;

}  // namespace

void Search::list_entering(const State& state) {
  const std::vector<int>& support = state.point.support;
  entering_.clear();
  for (std::size_t j = 0; j < columns_; ++j) {
    const bool inside = std::binary_search(support.begin(), support.end(), static_cast<int>(j));
    if (!inside && instance_->lo[j] < instance_->hi[j]) entering_.push_back(static_cast<int>(j));
  }
  if (entering_.size() <= all_features) return;
  const float* slope = state.point.gradient_of(0);
  const auto promise = [&](int column) {
    const auto j = static_cast<std::size_t>(column);
    double best = std::max(slope[j] * instance_->lo[j], slope[j] * instance_->hi[j]) / goal_.margin_scale;
    if (goal_.with_density()) {
      const double g = state.point.density_gradient[j];
      best += std::max(g * instance_->lo[j], g * instance_->hi[j]) / goal_.floor_scale;
    }
    return best;
  };
  std::stable_sort(entering_.begin(), entering_.end(), [&](int a, int b) { return promise(a) > promise(b); });
  entering_.resize(promising_features);
}

void Search::rank_additions(const State& state) {
  const std::size_t first = candidates_.size();
  list_entering(state);
  for (const int j : entering_) {
    std::vector<int> support = state.point.support;
    support.insert(std::upper_bound(support.begin(), support.end(), j), j);
    predict(state, std::move(support));
  }
  keep_best_candidates(first);
}

void Search::rank_swaps(const State& state) {
  const std::size_t first = candidates_.size();
  list_entering(state);
  for (std::size_t leaving = 0; leaving < state.point.support.size() && !lanes_.out_of_time(); ++leaving) {
    for (const int j : entering_) {
      std::vector<int> support = state.point.support;
      support.erase(support.begin() + static_cast<std::ptrdiff_t>(leaving));
      support.insert(std::upper_bound(support.begin(), support.end(), j), j);
      predict(state, std::move(support));
    }
  }
  keep_best_candidates(first);
}

void Search::predict(const State& state, std::vector<int> support) {
  if (instance_->is_taken(support) || std::find(seen_.begin(), seen_.end(), support) != seen_.end()) return;
  for (const Candidate& other : candidates_)
    if (other.support == support) return;
  solve_prediction(state, std::move(support));
}

// The QP on the new support around the state's point; features that leave go back to 0, which shifts the
// linearised margin and the minorant by known amounts.
void Search::solve_prediction(const State& state, std::vector<int> support) {
  const Point& at = state.point;
  const std::size_t size = support.size();
  touched_ = support;
  for (const int j : at.support)
    if (!std::binary_search(support.begin(), support.end(), j)) touched_.push_back(j);
  kappa_.assign(touched_.size(), 0.0);
  if (goal_.with_density()) wished_.density.curvature(at.weights, touched_, kappa_);

  const auto w_of = [&](int column) {
    const auto place = std::lower_bound(at.support.begin(), at.support.end(), column);
    return place != at.support.end() && *place == column
               ? at.w[static_cast<std::size_t>(place - at.support.begin())]
               : 0.0;
  };
  qp_.reset(size);
  qp_.value = at.log_density;
  qp_.floor = goal_.aimed_floor();
  qp_.with_floor = goal_.with_floor;
  qp_.tau = goal_.tau;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const auto j = static_cast<std::size_t>(touched_[i]);
    const double w = w_of(touched_[i]), g = goal_.with_density() ? at.density_gradient[j] : 0;
    if (i >= size) {
      qp_.value += -g * w - 0.5 * kappa_[i] * w * w;
      continue;
    }
    qp_.weight[i] = goal_.weight[j];
    qp_.lo[i] = instance_->lo[j];
    qp_.hi[i] = instance_->hi[j];
    qp_.w[i] = w;
    qp_.g[i] = g;
    qp_.kappa[i] = kappa_[i];
  }
  for (std::size_t r = 0; r < wished_.validity.rivals(); ++r) {
    const float* slope = at.gradient_of(r);
    double offset = at.margin[r];
    for (std::size_t i = 0; i < at.support.size(); ++i) offset -= slope[at.support[i]] * at.w[i];
    const std::span<double> cut = qp_.add_cut(goal_.aimed_margin() - offset);
    for (std::size_t i = 0; i < size; ++i) cut[i] = slope[support[i]];
  }
  qp_.solve();
  const double shortfall =
      qp_.cut_shortfall() / goal_.margin_scale + qp_.floor_shortfall() / goal_.floor_scale;
  const double score =
      qp_.cost() - (goal_.tau > 0 ? goal_.tau * qp_.minorant() : 0) + goal_.penalty * shortfall;
  candidates_.push_back({std::move(support), {qp_.solution().begin(), qp_.solution().end()}, score});
}

// The best few of those from `first` on.
void Search::keep_best_candidates(std::size_t first) {
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
  const std::size_t keep = std::min(candidates_.size(), first + widened(options_.screen));
  candidates_.resize(keep);
}

}  // namespace scfe
