#include "solver/search/mixed.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

// The table of moves is coarse for fine numbers, so more states are kept and more starts polished than in the
// search over numbers alone.
constexpr std::size_t beam_factor = 10;
constexpr std::size_t screen_factor = 4;
constexpr std::size_t grow_samples = 8, sweep_samples = 16;

}  // namespace

MixedSearch::MixedSearch(Lanes& lanes, const SearchOptions& options)
    : RowSearch(lanes, options), axes_(lattice_.axes()) {}

void MixedSearch::begin() {
  make_room_for_links();
  if (goal_.with_floor) goal_.floor_scale = std::max(goal_.floor - factual_.log_density, 1.0);
  nearest_ = {.values = row_->values, .support = {}};
  nearest_margin_ = factual_.margin[0];
  nearest_density_ = factual_.log_density;
  nearest_violation_ = goal_.violation(factual_);
}

Task MixedSearch::explore(std::span<const Start>) {
  goal_.penalty = 20 * (1 + goal_.tau);
  price_ = goal_.proximity.squared ? 1 : 0;
  answer_.objective = Goal::unknown;
  tried_.clear();
  beam_.assign(1, {.values = row_->values, .support = {}});
  std::size_t size = 1;
  if (const WarmStart* warm = warm_start()) {
    co_await start_from(*warm);
    size = warm->changes + 1;
  }
  co_await grow(size);
  if (size <= max_changes_ && done()) {
    co_await refine(size);
    co_return;
  }
  if (options_.keep_beam && wants_closest())
    for (const State& state : beam_) warm_states_.push_back(state.values);
  else if (raise_price()) {
    size = 1;
    co_await grow(size);
  }
  if (answer_.holds()) co_await refine(stops_early() ? support_of(answer_.values).size() : max_changes_);
}

// Adds one change after the other. `size`: the number of changes, at first and where it ended.
Task MixedSearch::grow(std::size_t& size) {
  const auto width = beam_factor * static_cast<std::size_t>(options_.beam);
  for (; size <= max_changes_ && !lanes_.out_of_time(); ++size) {
    co_await expand(grow_samples, screen_factor * static_cast<std::size_t>(options_.screen));
    if (done()) co_return;
    // At this price, these could not be closer in the end.
    if (!goal_.proximity.squared && goal_.tau == 0 && answer_.holds())
      std::erase_if(next_, [&](const State& state) { return state.score >= answer_.objective; });
    keep_best(next_, width);
    beam_.swap(next_);
    if (beam_.empty()) co_return;
  }
}

// Later moves gain less than the first. If the answer paid more than the price, its own price ranks higher
// those states that have gained more: true if it is worth growing again from no change.
bool MixedSearch::raise_price() {
  const double lacking = goal_.violation(factual_);
  if (goal_.proximity.squared || goal_.tau > 0 || !answer_.holds() || !(lacking > 0)) return false;
  const double paid = answer_.objective / lacking;
  if (!(paid > 1.01 * price_)) return false;
  price_ = paid;
  beam_.assign(1, {.values = row_->values, .support = {}});
  return true;
}

// Begins with the states and the answer of a search for fewer changes.
Task MixedSearch::start_from(const WarmStart& warm_start) {
  beam_.clear();
  for (const std::vector<double>& row : warm_start.beam) {
    beam_.push_back({.values = row, .support = support_of(row), .cost = lattice_.cost_of(row)});
  }
  if (warm_start.answer.empty()) co_return;
  rows_.assign(1, RowForms(space_));
  rows_[0].set(space_, warm_start.answer);
  probes_.assign(1, {&rows_[0], -1, 0});
  co_await lanes_.measure(*row_, probes_);
  lattice_.accept(warm_start.answer, lattice_.cost_of(warm_start.answer), probes_[0]);
}

Task MixedSearch::improve() {
  answer_.objective = goal_.objective(lattice_.cost_of(answer_.values), answer_.log_density);
  co_await refine(max_changes_);
}

// Around the answer: tries every move in place of one of its changes, or in addition if another is allowed.
Task MixedSearch::refine(std::size_t most) {
  for (int sweep = 0; sweep < options_.sweeps + 1 && !lanes_.out_of_time(); ++sweep) {
    const double before = answer_.objective;
    const State whole{.values = answer_.values, .support = support_of(answer_.values)};
    beam_.clear();
    for (std::size_t i = 0; i < whole.support.size(); ++i) {
      State fewer = whole;
      const auto f = static_cast<std::size_t>(whole.support[i]);
      fewer.values[f] = row_->values[f];
      fewer.support.erase(fewer.support.begin() + static_cast<std::ptrdiff_t>(i));
      beam_.push_back(std::move(fewer));
    }
    if (whole.support.size() < most) beam_.push_back(whole);
    for (State& state : beam_) {
      state.cost = lattice_.cost_of(state.values);
      if (row_->links != nullptr) row_->links->complete(state.values);
    }
    tried_.clear();
    co_await expand(sweep_samples, static_cast<std::size_t>(2 * options_.screen) * beam_.size());
    if (!(answer_.objective < before - 1e-9 * std::abs(before))) co_return;
  }
}

bool MixedSearch::has_fine(const State& state) const {
  return std::any_of(state.support.begin(), state.support.end(),
                     [&](int f) { return axes_[static_cast<std::size_t>(f)].fine; });
}

void MixedSearch::make(const State& state, const Move& move, State& next) const {
  next = state;
  next.values[static_cast<std::size_t>(move.feature)] = move.value;
  next.support.insert(std::upper_bound(next.support.begin(), next.support.end(), move.feature), move.feature);
  next.cost = move.cost;
  if (row_->links != nullptr) row_->links->complete(next.values);
}

MixedSearch::Key MixedSearch::key(const State& state) const {
  Key key;
  for (const int feature : state.support) {
    const auto f = static_cast<std::size_t>(feature);
    const auto& others = axes_[f].values;
    const double value = state.values[f];
    const bool up = value > row_->values[f];
    const auto place = std::find(others.begin(), others.end(), value) - others.begin();
    key.push_back(feature);
    key.push_back(axes_[f].fine ? -1 - static_cast<int>(up) : static_cast<int>(place));
  }
  return key;
}

void MixedSearch::describe_nearest(Found& found) const {
  found.margin = nearest_margin_;
  found.log_density = nearest_density_;
  found.nearest_support.clear();
  found.nearest_w.clear();
  for (const int feature : nearest_.support) {
    const auto f = static_cast<std::size_t>(feature);
    const std::size_t column =
        space_.first(f) + (space_.is_category(f) ? static_cast<std::size_t>(nearest_.values[f]) : 0);
    found.nearest_support.push_back(static_cast<int>(column));
    const double u = space_.is_category(f) ? 1 : space_.to_work(column, nearest_.values[f]);
    found.nearest_w.push_back(u - row_->factual[column]);
  }
}

}  // namespace scfe
