#include "solver/search/search.h"

#include <algorithm>
#include <numeric>

namespace scfe {

Search::Search(Lanes& lanes, const SearchOptions& options)
    : RowSearch(lanes, options), columns_(space_.columns()), root_{factual_, 0}, best_(root_) {}

void Search::begin() {
  if (goal_.with_floor) {
    const double pull = length(factual_.density_gradient.data(), columns_);
    goal_.floor_scale = std::max(goal_.floor - factual_.log_density, 0.1 * pull + 1e-6);
  }
  make_room_for_links();
  root_.point = factual_;
  best_ = root_;
}

Task Search::explore(std::span<const Start> starts) {
  const double mean_weight =
      std::reduce(goal_.weight.begin(), goal_.weight.end()) / static_cast<double>(columns_);
  goal_.penalty = 20 * (mean_weight + goal_.tau);
  root_.merit = goal_.merit(root_.point);
  best_ = root_;
  answer_.objective = Goal::unknown;
  seen_.clear();
  feasible_.clear();
  if (starts.empty())
    co_await grow();
  else
    co_await explore_from(starts);
  if (!answer_.holds()) co_await settle();
}

Task Search::explore_from(std::span<const Start> starts) {
  candidates_.clear();
  for (const Start& start : starts)
    if (start.uses_density == (goal_.with_density() || wants_closest()) &&
        !row_->demand.is_taken(start.support))
      add_candidate(start.support, start.w, 0);
  co_await polish_candidates({.rounds = options_.rounds});
  keep_best_states();
  if (!beam_.empty()) {
    co_await sweep(max_changes_);
    if (beam_.front().merit < best_.merit) best_ = beam_.front();
  }
  if (!solved()) co_await scan();
}

Task Search::improve() {
  answer_.objective = goal_.objective(lattice_.cost_of(answer_.values), answer_.log_density);
  best_.merit = goal_.merit(best_.point);
  co_await finish();
  co_await write();
}

void Search::describe_nearest(Found& found) const {
  found.margin = best_.point.margin[0];
  found.log_density = best_.point.log_density;
  found.nearest_support = best_.point.support;
  found.nearest_w = best_.point.w;
}

Task Search::grow() {
  // Where log q is maximised, it counts more than the number of changes.
  const bool stops_early = options_.fewest_first && goal_.tau == 0;
  beam_.assign(1, root_);
  std::size_t size = 1;
  if (const WarmStart* warm = warm_start()) {
    co_await start_from(*warm);
    size = warm->changes + 1;
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
    if (answer_.holds()) co_return;
    best_ = root_;  // no rounding of it is an answer: try one change more
  }
  if (options_.keep_beam && wants_closest()) keep_warm_states();
}

// The support of an earlier answer is no answer again, but it may become one with one more change.
void Search::add_taken(std::size_t size) {
  for (const std::vector<int>& support : row_->demand.taken_supports) {
    if (support.size() != size) continue;
    const double score = solve_prediction(root_, support);
    add_candidate(support, qp_.solution(), score);
  }
}

// Begins with the states and the answer of a search for fewer changes.
Task Search::start_from(const WarmStart& warm_start) {
  candidates_.clear();
  const auto add = [&](const std::vector<double>& row) {
    Candidate& candidate = candidates_.add();
    candidate.support.clear();
    candidate.w.clear();
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == row_->values[j]) continue;
      candidate.support.push_back(static_cast<int>(j));
      candidate.w.push_back(space_.to_work(j, row[j]) - row_->factual[j]);
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
    std::vector<double>& row = warm_states_.emplace_back(row_->values);
    for (std::size_t i = 0; i < state.point.support.size(); ++i) {
      const auto j = static_cast<std::size_t>(state.point.support[i]);
      row[j] = space_.to_original(j, row_->factual[j] + state.point.w[i]);
    }
  }
}

// Tries swaps, and additions if another change is allowed, around the best state while they improve it.
Task Search::sweep(std::size_t size) {
  for (int i = 0; i < options_.sweeps && !lanes_.out_of_time(); ++i) {
    const State& leader = beam_.front();
    candidates_.clear();
    co_await rank_swaps(leader);
    for (const State& state : beam_)  // supports of earlier answers, once
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

// The last resort: a polish is local and may miss the feasible part of a support. Each coordinate of the
// states kept is sampled over its whole range, and the best samples are polished.
Task Search::scan() {
  constexpr int samples = 16;
  constexpr std::size_t starts = 4;
  candidates_.clear();
  for (const State& state : beam_) {
    for (std::size_t i = 0; i < state.point.support.size() && state.merit != Goal::taken; ++i) {
      const auto j = static_cast<std::size_t>(state.point.support[i]);
      for (int k = 0; k < samples; ++k) {
        add_candidate(state.point.support, state.point.w, 0);
        candidates_.back().w[i] = row_->lo[j] + (row_->hi[j] - row_->lo[j]) * (k + 0.5) / samples;
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

// Polishes all candidates side by side, one round of each per evaluation. places: how many of them will be
// kept; 0: all.
Task Search::polish_candidates(const PolishLimits& limits, std::size_t places) {
  while (polishes_.size() < candidates_.size()) polishes_.emplace_back(query_, max_changes_);
  for (const Candidate& candidate : candidates_) seen_.add() = candidate.support;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    polishes_[i].start(*row_, goal_, limits, candidates_[i].support, candidates_[i].w);
  while (!lanes_.out_of_time() && ask_trials(candidates_.size())) {
    co_await evaluate_asked();
    digest_trials(candidates_.size());
    if (places > 0) give_up_hopeless(places);
  }
  polished_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const double merit = !polishes_[i].started()                         ? Goal::unknown
                         : row_->demand.is_taken(candidates_[i].support) ? Goal::taken
                                                                         : polishes_[i].merit();
    polished_.push_back({&polishes_[i].best(), merit});
    if (merit < Goal::infeasible) keep_feasible(polishes_[i].best(), merit);
  }
}

void Search::keep_feasible(const Point& point, double merit) {
  Candidate* own = std::ranges::find(feasible_, point.support, &Candidate::support);
  if (own != feasible_.end() && own->score <= merit) return;
  if (own == feasible_.end()) own = &feasible_.add();
  own->support = point.support;
  own->w = point.w;
  own->score = merit;
}

// Stops polishing candidates whose linearised problem is much dearer than the last one that will be kept. Not
// for further answers, where the next best may be needed.
void Search::give_up_hopeless(std::size_t places) {
  constexpr double too_far = 1.5;  // times the squared distance
  if (goal_.tau > 0 || row_->demand.is_further()) return;
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
  beam_.resize(polished_.size(), root_);
  for (std::size_t i = 0; i < beam_.size(); ++i) take(polished_[i], beam_[i]);
}

void Search::add_candidate(std::span<const int> support, std::span<const double> w, double score) {
  Candidate& candidate = candidates_.add();
  candidate.support.assign(support.begin(), support.end());
  candidate.w.assign(w.begin(), w.end());
  candidate.score = score;
}

}  // namespace scfe
