// Which supports are worth a polish. Each is predicted by the small QP around a state that is already
// evaluated, so ranking all of them needs no model call.
#include <algorithm>

#include "solver/search/link_cuts.h"
#include "solver/search/search.h"

namespace scfe {
namespace {

// Above this many features only the most promising are predicted.
constexpr std::size_t all_features = 64;
constexpr std::size_t promising_features = 48;

}  // namespace

void Search::list_entering(const State& state) {
  const std::vector<int>& support = state.point.support;
  entering_.clear();
  for (std::size_t j = 0; j < columns_; ++j) {
    const bool inside = std::binary_search(support.begin(), support.end(), static_cast<int>(j));
    if (!inside && row_->lo[j] < row_->hi[j]) entering_.push_back(static_cast<int>(j));
  }
  if (entering_.size() <= all_features) return;
  const float* slope = state.point.gradient_of(0);
  const auto promise = [&](int column) {
    const auto j = static_cast<std::size_t>(column);
    double best = std::max(slope[j] * row_->lo[j], slope[j] * row_->hi[j]) / goal_.margin_scale;
    if (goal_.with_density()) {
      const double g = state.point.density_gradient[j];
      best += std::max(g * row_->lo[j], g * row_->hi[j]) / goal_.floor_scale;
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
    predicted_ = state.point.support;
    predicted_.insert(std::upper_bound(predicted_.begin(), predicted_.end(), j), j);
    predict(state, first);
  }
  keep_best_candidates(first);
}

// Two lists: predicted at the state, and at the state without the feature that leaves. From the state itself,
// undoing a feature is a long step, for which the minorant of the density is too pessimistic.
Task Search::rank_swaps(const State& state) {
  co_await look_without_each(state);
  list_entering(state);
  const std::size_t size = state.point.support.size();
  for (const bool shortened : {false, true}) {
    if (shortened && size == 1) break;  // without it the state is the factual, where all have been predicted
    const std::size_t first = candidates_.size();
    for (std::size_t leaving = 0; leaving < size && !lanes_.out_of_time(); ++leaving) {
      const State& around = shortened ? shorter_[leaving] : state;
      for (const int j : entering_) {
        predicted_ = state.point.support;
        predicted_.erase(predicted_.begin() + static_cast<std::ptrdiff_t>(leaving));
        predicted_.insert(std::upper_bound(predicted_.begin(), predicted_.end(), j), j);
        predict(around, first);
      }
    }
    keep_best_candidates(first);
  }
}

Task Search::look_without_each(const State& state) {
  const Point& whole = state.point;
  const std::size_t size = whole.support.size();
  if (size == 1) co_return;
  if (shorter_.size() < size) shorter_.resize(size, root_);
  asked_.clear();
  for (std::size_t leaving = 0; leaving < size; ++leaving) {
    Point& point = shorter_[leaving].point;
    point.support = whole.support;
    point.w = whole.w;
    point.support.erase(point.support.begin() + static_cast<std::ptrdiff_t>(leaving));
    point.w.erase(point.w.begin() + static_cast<std::ptrdiff_t>(leaving));
    asked_.push_back(&point);
  }
  co_await evaluate_asked();
}

// Predicts the support predicted_ and adds it to the candidates; candidates before `first` belong to an
// earlier list, where the better of two predictions of the same support is kept.
void Search::predict(const State& state, std::size_t first) {
  if (row_->demand.is_taken(predicted_) || std::find(seen_.begin(), seen_.end(), predicted_) != seen_.end())
    return;
  const double score = solve_prediction(state, predicted_);
  const std::span<const double> w = qp_.solution();
  std::size_t place = 0;
  while (place < first && candidates_[place].support != predicted_) ++place;
  if (place == first) {
    add_candidate(predicted_, w, score);
  } else if (score < candidates_[place].score) {
    candidates_[place].w.assign(w.begin(), w.end());
    candidates_[place].score = score;
  }
}

// Solves the QP on the new support around the state's point. Features that leave the support go back to 0,
// which shifts the linearised margin and the minorant by known amounts. The solution stays in qp_.
double Search::solve_prediction(const State& state, const std::vector<int>& support) {
  const Point& at = state.point;
  const std::size_t size = support.size();
  touched_ = support;
  for (const int j : at.support)
    if (!std::binary_search(support.begin(), support.end(), j)) touched_.push_back(j);
  kappa_.assign(touched_.size(), 0.0);
  if (goal_.with_density()) query_.density().curvature(at.weights, touched_, kappa_);

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
    qp_.weight[i] = goal_.nearness * goal_.weight[j];
    qp_.lo[i] = row_->lo[j];
    qp_.hi[i] = row_->hi[j];
    qp_.w[i] = w;
    qp_.g[i] = g;
    qp_.kappa[i] = kappa_[i];
  }
  for (std::size_t r = 0; r < query_.validity.rivals(); ++r) {
    const float* slope = at.gradient_of(r);
    double offset = at.margin[r];
    for (std::size_t i = 0; i < at.support.size(); ++i) offset -= slope[at.support[i]] * at.w[i];
    const std::span<double> cut = qp_.add_cut(goal_.aimed_margin() - offset);
    for (std::size_t i = 0; i < size; ++i) cut[i] = slope[support[i]];
  }
  if (row_->links != nullptr) {
    linked_ = row_->values;
    for (std::size_t i = 0; i < size; ++i) {
      const auto j = static_cast<std::size_t>(support[i]);
      linked_[j] = space_.to_original(j, row_->factual[j] + qp_.w[i]);
    }
    add_link_cuts(*row_->links, {support, qp_.w, linked_}, goal_.margin_scale, qp_);
  }
  qp_.solve();
  const double shortfall =
      qp_.cut_shortfall() / goal_.margin_scale + qp_.floor_shortfall() / goal_.floor_scale;
  return qp_.cost() - (goal_.tau > 0 ? goal_.tau * qp_.minorant() : 0) + goal_.penalty * shortfall;
}

// Of the candidates from `first` on, keeps as many of the best as `lists` lists may have.
void Search::keep_best_candidates(std::size_t first, int lists) {
  std::stable_sort(candidates_.begin() + first, candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
  candidates_.cut_to(first + widened(lists * options_.screen));
}

}  // namespace scfe
