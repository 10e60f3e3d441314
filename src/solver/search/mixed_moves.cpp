// All one-feature moves of every state of the beam, evaluated together.
#include <algorithm>
#include <cmath>

#include "solver/search/link_cuts.h"
#include "solver/search/mixed.h"

namespace scfe {
namespace {

enum Kind { predicted, holds, fails };  // of a start for a polish

}  // namespace

// Fills next_ with the successors of the beam, accepts feasible ones as answers, and polishes the best
// starts.
Task MixedSearch::expand(std::size_t samples, std::size_t polishes) {
  moves_.clear();
  probes_.clear();
  next_.clear();
  starts_.clear();
  while (rows_.size() < beam_.size()) rows_.emplace_back(space_);
  for (std::size_t s = 0; s < beam_.size(); ++s) {
    rows_[s].set(space_, beam_[s].values);
    list_moves(s, samples);
  }
  for (const Move& move : moves_) probes_.push_back({&rows_[move.state], move.feature, move.value});
  co_await lanes_.measure(*row_, probes_);
  if (price_ == 0) set_price();
  digest_moves();
  if (lanes_.out_of_time()) co_return;

  while (points_.size() < beam_.size()) points_.emplace_back(query_, max_changes_);
  asked_.clear();
  for (std::size_t s = 0; s < beam_.size(); ++s) {
    points_[s].written = &beam_[s].values;
    asked_.push_back(&points_[s]);
  }
  co_await evaluate_asked();
  for (std::size_t s = 0; s < beam_.size(); ++s) predict(beam_[s], points_[s]);

  // A start that is much dearer than the answer so far is not worth a polish.
  if (goal_.tau == 0 && answer_.holds())
    std::erase_if(starts_, [&](const State& s) { return s.score > 1.5 * answer_.objective + 0.01; });
  if (!tried_.empty())
    for (State& start : starts_)
      if (tried_.contains(key(start))) start.score = Goal::unknown;
  keep_best(starts_, polishes);
  std::erase_if(starts_, [](const State& s) { return s.score >= Goal::unknown; });
  co_await polish_starts();
}

void MixedSearch::list_moves(std::size_t state, std::size_t samples) {
  const State& from = beam_[state];
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    const bool inside = std::binary_search(from.support.begin(), from.support.end(), static_cast<int>(f));
    if (inside || !axes_[f].open() || !may_join(from, f)) continue;
    if (axes_[f].fine) {
      list_samples(state, f, samples);
      if (row_->links != nullptr) list_repairs(state, f);
      continue;
    }
    for (const double value : axes_[f].values) {
      const double cost = from.cost + space_.cost(f, row_->values[f], value);
      if (goal_.tau > 0 || cost < answer_.objective)
        moves_.push_back({state, static_cast<int>(f), value, cost});
    }
  }
}

// Writable values on both sides, denser near the factual, and not dearer than the answer so far.
void MixedSearch::list_samples(std::size_t state, std::size_t f, std::size_t samples) {
  const State& from = beam_[state];
  const Axis& axis = axes_[f];
  const Proximity& proximity = goal_.proximity;
  const double x = row_->values[f], unit = proximity.length(space_.cost(f, x, x + axis.step)) / axis.step;
  const double room = goal_.tau == 0 && answer_.holds()
                          ? proximity.length(std::max(0.0, answer_.objective - from.cost)) / unit
                          : INFINITY;
  for (const double side : {-1.0, 1.0}) {
    const double reach = std::min(room, side < 0 ? x - axis.lo : axis.hi - x);
    double last = x;
    for (std::size_t i = 1; i <= samples; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(samples);
      const double value = writing_.nearest(f, x + side * reach * share * share);
      if (value == last || value == x || value < axis.lo || value > axis.hi) continue;
      last = value;
      moves_.push_back({state, static_cast<int>(f), value, from.cost + space_.cost(f, x, value)});
    }
  }
}

// Samples on one side of a fine number are the same state (Key); only the best is kept.
void MixedSearch::Places::put(std::vector<State>& states, const State& state, std::size_t kind) {
  std::size_t& place = of_kind[kind];
  if (place == none) {
    place = states.size();
    states.push_back(state);
  } else if (state.score < states[place].score) {
    states[place] = state;
  }
}

bool MixedSearch::same_side(const Move& a, const Move& b) const {
  const auto f = static_cast<std::size_t>(a.feature);
  return a.state == b.state && a.feature == b.feature && axes_[f].fine &&
         (a.value > row_->values[f]) == (b.value > row_->values[f]);
}

// After the moves from the factual were measured.
void MixedSearch::set_price() {
  double best = INFINITY;
  const double lacking = goal_.violation(factual_);
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const double gain = lacking - goal_.violation(probes_[i]);
    if (gain > 0) best = std::min(best, goal_.nearness * moves_[i].cost / gain);
  }
  price_ = std::isfinite(best) ? best : 1;
}

void MixedSearch::digest_moves() {
  Places start_at, next_at;
  State next;  // reused for all moves to avoid allocations
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const Move& move = moves_[i];
    if (i == 0 || !same_side(moves_[i - 1], move)) start_at = next_at = {};
    const Probe& probe = probes_[i];
    if (!std::isfinite(probe.margin) || !std::isfinite(probe.log_density)) continue;
    make(beam_[move.state], move, next);
    const double objective = goal_.objective(next.cost, probe.log_density);
    const double broken = row_->links != nullptr ? row_->links->violation(next.values) : 0;
    const double missing = goal_.violation(probe) + broken;
    if (missing == 0) lattice_.accept(next.values, next.cost, probe);
    if (missing < nearest_violation_) {
      nearest_ = next;
      nearest_violation_ = missing;
      nearest_margin_ = probe.margin;
      nearest_density_ = probe.log_density;
    }
    if (has_fine(next) && !row_->demand.is_taken(next.support)) {
      next.score = objective + 2 * price_ * missing;
      next.kind = missing == 0 ? holds : fails;
      start_at.put(starts_, next, static_cast<std::size_t>(next.kind));
    }
    if (!done() && (next.support.size() < max_changes_ || options_.keep_beam)) {
      next.score = objective + price_ * missing;
      next.kind = 0;
      next_at.put(next_, next, 0);
    }
  }
}

bool MixedSearch::may_join(const State& state, std::size_t feature) const {
  return row_->links == nullptr || row_->links->may_join(state.support, feature);
}

// Predicts each further fine number by the QP over the state's fine numbers and that one; levels stay fixed.
void MixedSearch::predict(const State& state, const Point& at) {
  if (!std::isfinite(at.margin[0]) || !std::isfinite(at.log_density)) return;
  touched_.clear();
  double levels = 0;
  for (const int feature : state.support) {
    const auto f = static_cast<std::size_t>(feature);
    if (axes_[f].fine)
      touched_.push_back(static_cast<int>(space_.first(f)));
    else
      levels += space_.cost(f, row_->values[f], state.values[f]);
  }
  const auto w_of = [&](std::size_t column) {
    return space_.to_work(column, state.values[space_.feature_of(column)]) - row_->factual[column];
  };
  touched_.push_back(0);
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    if (!axes_[f].fine || std::binary_search(state.support.begin(), state.support.end(), static_cast<int>(f)))
      continue;
    if (!may_join(state, f)) continue;
    touched_.back() = static_cast<int>(space_.first(f));
    kappa_.assign(touched_.size(), 0.0);
    if (goal_.with_density()) query_.density().curvature(at.weights, touched_, kappa_);
    qp_.reset(touched_.size());
    qp_.value = at.log_density;
    qp_.floor = goal_.aimed_floor();
    qp_.with_floor = goal_.with_floor;
    qp_.tau = goal_.tau;
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const auto j = static_cast<std::size_t>(touched_[i]);
      qp_.weight[i] = goal_.nearness * goal_.weight[j];
      qp_.lo[i] = row_->lo[j];
      qp_.hi[i] = row_->hi[j];
      qp_.w[i] = w_of(j);
      qp_.g[i] = goal_.with_density() ? at.density_gradient[j] : 0;
      qp_.kappa[i] = kappa_[i];
    }
    for (std::size_t r = 0; r < query_.validity.rivals(); ++r) {
      const float* slope = at.gradient_of(r);
      double offset = at.margin[r];
      for (std::size_t i = 0; i < touched_.size(); ++i) offset -= slope[touched_[i]] * qp_.w[i];
      const std::span<double> cut = qp_.add_cut(goal_.aimed_margin() - offset);
      for (std::size_t i = 0; i < touched_.size(); ++i) cut[i] = slope[touched_[i]];
    }
    if (row_->links != nullptr)
      add_link_cuts(*row_->links, {touched_, qp_.w, state.values}, goal_.margin_scale, qp_);
    qp_.solve();
    const double missing =
        qp_.cut_shortfall() / goal_.margin_scale + qp_.floor_shortfall() / goal_.floor_scale;
    State next;
    make(state, {0, static_cast<int>(f), 0, 0}, next);
    if (row_->demand.is_taken(next.support)) continue;
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const auto j = static_cast<std::size_t>(touched_[i]);
      next.values[space_.feature_of(j)] = space_.to_original(j, row_->factual[j] + qp_.solution()[i]);
    }
    if (row_->links != nullptr) row_->links->complete_relaxed(next.values);
    next.score = goal_.nearness * levels + qp_.cost() - (goal_.tau > 0 ? goal_.tau * qp_.minorant() : 0) +
                 2 * price_ * missing;
    next.kind = predicted;
    starts_.push_back(std::move(next));
  }
}

// Keeps the best by score, one for each key and kind.
void MixedSearch::keep_best(std::vector<State>& states, std::size_t most) const {
  std::vector<State*> order;
  for (State& state : states) order.push_back(&state);
  std::stable_sort(order.begin(), order.end(),
                   [](const State* a, const State* b) { return a->score < b->score; });
  std::set<Key> seen;
  std::vector<State> kept;
  for (State* state : order) {
    if (kept.size() == most) break;
    Key identity = key(*state);
    identity.push_back(state->kind);
    if (seen.insert(std::move(identity)).second) kept.push_back(std::move(*state));
  }
  states.swap(kept);
}

}  // namespace scfe
