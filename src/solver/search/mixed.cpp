#include "solver/search/mixed.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

// The table of moves is exact but coarse for fine numbers, so more states are kept and more starts polished
// than by the search over numbers alone.
constexpr std::size_t beam_factor = 10;
constexpr std::size_t screen_factor = 4;
constexpr std::size_t grow_samples = 8, sweep_samples = 16;

}  // namespace

MixedSearch::MixedSearch(Lanes& lanes, const SearchOptions& options)
    : lanes_(lanes),
      query_(lanes.terms().query()),
      space_(query_.fitted.space),
      options_(options),
      writing_(query_.fitted.writing),
      max_changes_(static_cast<std::size_t>(options.max_changes)),
      qp_(max_changes_, Validity::max_rivals + Polish::max_cuts),
      factual_(query_, 0) {
  goal_.weight = space_.weight();
}

Task MixedSearch::run(const Row& instance, std::span<const Start>, Found& found) {
  instance_ = &instance;
  axes_ = make_axes(space_, writing_, instance);
  gradients_ = 0;
  warm_states_.clear();
  if (instance.links != nullptr)
    qp_.make_room(Validity::max_rivals + Polish::max_cuts + 2 * instance.links->links().size());
  goal_.margin = instance.required;
  goal_.floor = instance.floor.value_or(0);
  goal_.with_floor = instance.floor.has_value();
  goal_.tau = 0;

  co_await look_at_factual();
  if (!std::isfinite(factual_.margin[0]) || !std::isfinite(factual_.log_density)) {
    answer(Status::not_finite, found);
    co_return;
  }
  if (goal_.feasible(factual_)) {
    answer(Status::already, found);
    co_return;
  }
  co_await explore();
  if (solved()) {
    answer(Status::valid, found);
    co_return;
  }
  if (goal_.with_floor && !instance.demand.strict && !lanes_.out_of_time()) {
    goal_.with_floor = false;
    goal_.tau = options_.fallback_tau;
    co_await explore();
    if (!solved()) co_await explore_without_density();
  }
  const Status failed = lanes_.out_of_time() ? Status::time_limit : Status::not_found;
  // On the way for another goal it may have met the floor after all.
  const bool meets = instance.floor && best_density_ >= *instance.floor;
  answer(!solved() ? failed : meets ? Status::valid : Status::below_floor, found);
}

// What the factual lacks becomes the unit of every later violation.
Task MixedSearch::look_at_factual() {
  factual_.written = &instance_->values;
  asked_.assign({&factual_});
  ++gradients_;
  co_await lanes_.evaluate(*instance_, asked_);
  const double slope = length(factual_.gradient_of(0), space_.columns());
  goal_.margin_scale = std::max(goal_.margin - factual_.margin[0], 0.1 * slope + 1e-6);
  if (goal_.with_floor) goal_.floor_scale = std::max(goal_.floor - factual_.log_density, 1.0);
  best_ = instance_->values;
  best_margin_ = nearest_margin_ = factual_.margin[0];
  best_density_ = nearest_density_ = factual_.log_density;
  nearest_ = {.values = instance_->values, .support = {}};
  nearest_violation_ = goal_.violation(factual_);
}

Task MixedSearch::explore() {
  goal_.penalty = 20 * (1 + goal_.tau);
  best_objective_ = Goal::unknown;
  tried_.clear();
  beam_.assign(1, {.values = instance_->values, .support = {}});
  const auto width = beam_factor * static_cast<std::size_t>(options_.beam);
  std::size_t size = 1;
  if (instance_->warm_start != nullptr && !instance_->warm_start->beam.empty() && as_asked()) {
    co_await start_from(*instance_->warm_start);
    size = instance_->warm_start->changes + 1;
  }
  for (; size <= max_changes_ && !lanes_.out_of_time(); ++size) {
    co_await expand(grow_samples, screen_factor * static_cast<std::size_t>(options_.screen));
    if (done()) {
      co_await refine(size);
      co_return;
    }
    keep_best(next_, width);
    beam_.swap(next_);
  }
  if (options_.keep_beam && as_asked())
    for (const State& state : beam_) warm_states_.push_back(state.values);
  if (solved()) co_await refine(stops_early() ? support_of(best_).size() : max_changes_);
}

// The states that a search for fewer changes left, and its answer.
Task MixedSearch::start_from(const WarmStart& warm_start) {
  beam_.clear();
  for (const std::vector<double>& row : warm_start.beam) {
    beam_.push_back({.values = row, .support = support_of(row), .cost = cost_of(row)});
  }
  if (warm_start.answer.empty()) co_return;
  rows_.assign(1, RowForms(space_));
  rows_[0].set(space_, warm_start.answer);
  probes_.assign(1, {&rows_[0], -1, 0});
  co_await lanes_.measure(*instance_, probes_);
  accept(warm_start.answer, cost_of(warm_start.answer), probes_[0]);
}

// Far from the data the density drowns validity: first any answer, then a more typical one near it.
Task MixedSearch::explore_without_density() {
  goal_.tau = 0;
  co_await explore();
  if (!solved()) co_return;
  goal_.tau = options_.fallback_tau;
  best_objective_ = cost_of(best_) - goal_.tau * best_density_;
  co_await refine(max_changes_);
}

// Around the answer: every move in the place of one of its changes, or beside them where there is room.
Task MixedSearch::refine(std::size_t most) {
  for (int sweep = 0; sweep < options_.sweeps + 1 && !lanes_.out_of_time(); ++sweep) {
    const double before = best_objective_;
    const State whole{.values = best_, .support = support_of(best_)};
    beam_.clear();
    for (std::size_t i = 0; i < whole.support.size(); ++i) {
      State fewer = whole;
      const auto f = static_cast<std::size_t>(whole.support[i]);
      fewer.values[f] = instance_->values[f];
      fewer.support.erase(fewer.support.begin() + static_cast<std::ptrdiff_t>(i));
      beam_.push_back(std::move(fewer));
    }
    if (whole.support.size() < most) beam_.push_back(whole);
    for (State& state : beam_) {
      state.cost = cost_of(state.values);
      if (instance_->links != nullptr) instance_->links->complete(state.values);
    }
    tried_.clear();
    co_await expand(sweep_samples, static_cast<std::size_t>(2 * options_.screen) * beam_.size());
    if (!(best_objective_ < before - 1e-9 * std::abs(before))) co_return;
  }
}

std::vector<int> MixedSearch::support_of(const std::vector<double>& values) const {
  std::vector<int> support;
  for (std::size_t f = 0; f < values.size(); ++f)
    if (values[f] != instance_->values[f] && !space_.is_derived(f)) support.push_back(static_cast<int>(f));
  return support;
}

double MixedSearch::cost_of(const std::vector<double>& values) const {
  double cost = 0;
  for (std::size_t f = 0; f < values.size(); ++f) cost += space_.cost(f, instance_->values[f], values[f]);
  return cost;
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
  if (instance_->links != nullptr) instance_->links->complete(next.values);
}

MixedSearch::Key MixedSearch::key(const State& state) const {
  Key key;
  for (const int feature : state.support) {
    const auto f = static_cast<std::size_t>(feature);
    const auto& others = axes_[f].values;
    const double value = state.values[f];
    const bool up = value > instance_->values[f];
    const auto place = std::find(others.begin(), others.end(), value) - others.begin();
    key.push_back(feature);
    key.push_back(axes_[f].fine ? -1 - static_cast<int>(up) : static_cast<int>(place));
  }
  return key;
}

// The row was measured as it would be written: if it holds and is better, it is the answer so far.
void MixedSearch::accept(const std::vector<double>& values, double cost, const Probe& measured) {
  if (!goal_.feasible(measured)) return;
  const double objective = cost - (goal_.tau > 0 ? goal_.tau * measured.log_density : 0);
  if (!(objective < best_objective_)) return;
  if (instance_->rejects(values)) return;
  best_ = values;
  best_objective_ = objective;
  best_margin_ = measured.margin;
  best_density_ = measured.log_density;
}

void MixedSearch::answer(Status status, Found& found) const {
  const bool answered = status == Status::valid || status == Status::below_floor || status == Status::already;
  found.status = status;
  found.values = answered ? best_ : instance_->values;
  found.support = support_of(found.values);
  found.margin = answered ? best_margin_ : nearest_margin_;
  found.log_density = answered ? best_density_ : nearest_density_;
  found.nearest_support.clear();
  found.nearest_w.clear();
  for (const int feature : nearest_.support) {
    const auto f = static_cast<std::size_t>(feature);
    const std::size_t column =
        space_.first(f) + (space_.is_category(f) ? static_cast<std::size_t>(nearest_.values[f]) : 0);
    found.nearest_support.push_back(static_cast<int>(column));
    const double u = space_.is_category(f) ? 1 : space_.to_work(column, nearest_.values[f]);
    found.nearest_w.push_back(u - instance_->factual[column]);
  }
  found.beam = warm_states_;
  found.gradients = gradients_;
  found.timed_out = lanes_.out_of_time();
}

}  // namespace scfe
