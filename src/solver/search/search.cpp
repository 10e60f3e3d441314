#include "solver/search/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scfe {

Search::Search(Lanes& lanes, const SearchOptions& options)
    : lanes_(lanes),
      query_(lanes.terms().query()),
      options_(options),
      writing_(query_.fitted.writing),
      columns_(query_.fitted.space.columns()),
      max_changes_(static_cast<std::size_t>(options.max_changes)),
      qp_(max_changes_, Validity::max_rivals + Polish::max_cuts),
      factual_{Point(query_, max_changes_), 0},
      best_(factual_) {
  goal_.weight = query_.fitted.space.weight();
}

Task Search::run(const Row& instance, std::span<const Start> starts, Found& found) {
  instance_ = &instance;
  gradients_ = 0;
  warm_states_.clear();
  goal_.margin = instance.required;
  goal_.floor = instance.floor.value_or(0);
  goal_.with_floor = instance.floor.has_value();
  goal_.tau = 0;

  co_await look_at_factual();
  const Point& start = factual_.point;
  if (!std::isfinite(start.margin[0]) || !std::isfinite(start.log_density)) {
    answer(Status::not_finite, found);
    co_return;
  }
  if (goal_.feasible(start)) {
    answer(Status::already, found);
    co_return;
  }

  co_await explore(starts);
  if (holds_) {
    answer(Status::valid, found);
    co_return;
  }
  if (goal_.with_floor && !instance.demand.strict && !lanes_.out_of_time()) {
    goal_.with_floor = false;
    goal_.tau = options_.fallback_tau;
    co_await explore(starts);
    if (!holds_) co_await explore_without_density(starts);
  }
  const Status failed = lanes_.out_of_time() ? Status::time_limit : Status::not_found;
  // On the way for another goal it may have met the floor after all.
  const bool meets = instance.floor && written_density_ >= *instance.floor;
  answer(!holds_ ? failed : meets ? Status::valid : Status::below_floor, found);
}

// The factual as the model reads it. What it lacks becomes the unit of every later violation.
Task Search::look_at_factual() {
  Point& point = factual_.point;
  point.support.clear();
  point.w.clear();
  point.written = &instance_->values;
  asked_.assign({&point});
  gradients_ += asked_.size();
  co_await lanes_.evaluate(*instance_, asked_);
  point.written = nullptr;

  const double slope = length(point.gradient_of(0), columns_);
  goal_.margin_scale = std::max(goal_.margin - point.margin[0], 0.1 * slope + 1e-6);
  if (goal_.with_floor) {
    const double pull = length(point.density_gradient.data(), columns_);
    goal_.floor_scale = std::max(goal_.floor - point.log_density, 0.1 * pull + 1e-6);
  }
  best_ = factual_;
  written_ = instance_->values;
  written_margin_ = point.margin[0];
  written_density_ = point.log_density;
}

Task Search::explore(std::span<const Start> starts) {
  const double mean_weight =
      std::reduce(goal_.weight.begin(), goal_.weight.end()) / static_cast<double>(columns_);
  goal_.penalty = 20 * (mean_weight + goal_.tau);
  factual_.merit = goal_.merit(factual_.point);
  best_ = factual_;
  holds_ = false;
  seen_.clear();
  others_.clear();
  if (starts.empty()) {
    co_await grow();
  } else {
    candidates_.clear();
    for (const Start& start : starts)
      if (start.heeds_floor == (goal_.with_floor || !instance_->floor) &&
          !instance_->demand.is_taken(start.support))
        add_candidate(start.support, start.w, 0);
    co_await polish_candidates({.rounds = options_.rounds});
    keep_best_states();
    if (!beam_.empty()) {
      co_await sweep(max_changes_);
      if (beam_.front().merit < best_.merit) best_ = beam_.front();
    }
    if (!solved()) co_await scan();
  }
  if (solved() && !holds_) co_await settle();
  if (!holds_) co_await settle_others();
}

// Far from the data the density drowns validity: first any answer, then a more typical one near it.
Task Search::explore_without_density(std::span<const Start> starts) {
  goal_.tau = 0;
  co_await explore(starts);
  if (!holds_) co_return;
  goal_.tau = options_.fallback_tau;
  best_.merit = goal_.merit(best_.point);
  co_await settle();
}

// From the best state to a row that holds as written.
Task Search::settle() {
  co_await finish();
  co_await write();
}

Task Search::grow() {
  // Below the floor the most plausible answer is wanted, not the one with the fewest changes.
  const bool stops_early = options_.fewest_first && goal_.tau == 0;
  beam_.assign(1, factual_);
  std::size_t size = 1;
  if (instance_->warm_start != nullptr && !instance_->warm_start->beam.empty() && as_asked()) {
    co_await start_from(*instance_->warm_start);
    size = instance_->warm_start->changes + 1;
  }
  for (; size <= max_changes_ && !lanes_.out_of_time(); ++size) {
    candidates_.clear();
    for (const State& state : beam_) rank_additions(state);
    add_taken(size);
    const bool only_best = stops_early || (size == max_changes_ && !options_.keep_beam);
    co_await polish_candidates({.rounds = options_.rounds}, only_best ? 1 : widened(options_.beam));
    keep_best_states();
    if (beam_.empty()) co_return;
    co_await sweep(size);
    if (beam_.front().merit < best_.merit) best_ = beam_.front();
    if (!solved() && (stops_early || size == max_changes_)) co_await scan();
    if (!stops_early || !solved()) continue;
    co_await settle();
    if (!holds_) co_await settle_others();
    if (holds_) co_return;
    best_ = factual_;  // no rounding of it holds: one change more may
  }
  if (options_.keep_beam && as_asked()) keep_warm_states();
}

// The states that a search for fewer changes left, and its answer.
Task Search::start_from(const WarmStart& warm_start) {
  candidates_.clear();
  const auto add = [&](const std::vector<double>& row) {
    Candidate& candidate = candidates_.add();
    candidate.support.clear();
    candidate.w.clear();
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == instance_->values[j]) continue;
      candidate.support.push_back(static_cast<int>(j));
      candidate.w.push_back(query_.fitted.space.to_work(j, row[j]) - instance_->factual[j]);
    }
  };
  if (!warm_start.answer.empty()) add(warm_start.answer);
  for (const std::vector<double>& row : warm_start.beam) add(row);
  co_await polish_candidates({.rounds = 0});
  keep_best_states();
  if (!beam_.empty() && beam_.front().merit < best_.merit) best_ = beam_.front();
}

void Search::keep_warm_states() {
  for (const State& state : beam_) {
    std::vector<double>& row = warm_states_.emplace_back(instance_->values);
    for (std::size_t i = 0; i < state.point.support.size(); ++i) {
      const auto j = static_cast<std::size_t>(state.point.support[i]);
      row[j] = query_.fitted.space.to_original(j, instance_->factual[j] + state.point.w[i]);
    }
  }
}

// Swaps, and additions where there is room, around the best state; as long as they help.
Task Search::sweep(std::size_t size) {
  for (int i = 0; i < options_.sweeps && !lanes_.out_of_time(); ++i) {
    const State& leader = beam_.front();
    candidates_.clear();
    co_await rank_swaps(leader);
    for (const State& state : beam_)  // of what others have, once
      if (i == 0 && state.merit == Goal::taken && state.point.support.size() == size)
        co_await rank_swaps(state);
    if (leader.point.support.size() < size) rank_additions(leader);
    keep_best_candidates(0, 2);
    co_await polish_candidates({.rounds = options_.rounds}, 1);
    const auto winner =
        std::min_element(polished_.begin(), polished_.end(),
                         [](const Polished& a, const Polished& b) { return a.merit < b.merit; });
    if (winner == polished_.end() || !(winner->merit < beam_.front().merit - 1e-9)) co_return;
    beam_.insert(beam_.begin(), {*winner->point, winner->merit});
    trim(beam_);
  }
}

// Before giving up: the polish is local, and the feasible part of a support may lie beyond a valley. Each
// coordinate of the states left is sampled over its whole range, and the best samples are polished.
Task Search::scan() {
  constexpr int samples = 16;
  constexpr std::size_t starts = 4;
  candidates_.clear();
  for (const State& state : beam_) {
    for (std::size_t i = 0; i < state.point.support.size() && state.merit != Goal::taken; ++i) {
      const auto j = static_cast<std::size_t>(state.point.support[i]);
      for (int k = 0; k < samples; ++k) {
        add_candidate(state.point.support, state.point.w, 0);
        candidates_.back().w[i] =
            instance_->lo[j] + (instance_->hi[j] - instance_->lo[j]) * (k + 0.5) / samples;
      }
    }
  }
  if (candidates_.empty() || lanes_.out_of_time()) co_return;
  co_await polish_candidates({.rounds = 0});
  for (std::size_t c = 0; c < candidates_.size(); ++c) candidates_[c].score = polished_[c].merit;
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
  candidates_.cut_to(starts);
  co_await polish_candidates({.rounds = 2 * options_.rounds, .region = 0.1});
  for (const Polished& polished : polished_)
    if (polished.merit < best_.merit) take(polished, best_);
}

// All candidates side by side, one round of each per evaluation. places: how many of them will be kept; 0:
// all.
Task Search::polish_candidates(const PolishLimits& limits, std::size_t places) {
  while (polishes_.size() < candidates_.size()) polishes_.emplace_back(query_, max_changes_);
  for (const Candidate& candidate : candidates_) seen_.add() = candidate.support;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    polishes_[i].start(*instance_, goal_, limits, candidates_[i].support, candidates_[i].w);
  while (!lanes_.out_of_time()) {
    asked_.clear();
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (polishes_[i].active()) asked_.push_back(&polishes_[i].trial());
    if (asked_.empty()) break;
    gradients_ += asked_.size();
    co_await lanes_.evaluate(*instance_, asked_);
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (polishes_[i].active()) polishes_[i].digest(qp_);
    if (places > 0) give_up_hopeless(places);
  }
  polished_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const double merit = !polishes_[i].started()                              ? Goal::unknown
                         : instance_->demand.is_taken(candidates_[i].support) ? Goal::taken
                                                                              : polishes_[i].merit();
    polished_.push_back({&polishes_[i].best(), merit});
    if (instance_->demand.is_further() && merit < Goal::infeasible)
      others_.push_back({polishes_[i].best(), merit});
  }
}

// A candidate whose own linearised problem lies far beyond the last one that will be kept is not worth more
// gradients. Not for further answers: there the next best may be needed.
void Search::give_up_hopeless(std::size_t places) {
  constexpr double too_far = 1.5;  // times the squared distance
  if (goal_.tau > 0 || instance_->demand.is_further()) return;
  merits_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) merits_.push_back(polishes_[i].merit());
  if (places == 1) merits_.insert(merits_.end(), {best_.merit, beam_.front().merit});
  if (merits_.size() < places) return;
  const auto last = merits_.begin() + static_cast<std::ptrdiff_t>(places - 1);
  std::nth_element(merits_.begin(), last, merits_.end());
  if (*last >= Goal::infeasible) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (polishes_[i].active() && polishes_[i].prospect() > too_far * *last) polishes_[i].give_up();
}

void Search::keep_best_states() {
  std::stable_sort(polished_.begin(), polished_.end(),
                   [](const Polished& a, const Polished& b) { return a.merit < b.merit; });
  trim(polished_);
  beam_.resize(polished_.size(), factual_);
  for (std::size_t i = 0; i < beam_.size(); ++i) take(polished_[i], beam_[i]);
}

void Search::add_candidate(std::span<const int> support, std::span<const double> w, double score) {
  Candidate& candidate = candidates_.add();
  candidate.support.assign(support.begin(), support.end());
  candidate.w.assign(w.begin(), w.end());
  candidate.score = score;
}

}  // namespace scfe
