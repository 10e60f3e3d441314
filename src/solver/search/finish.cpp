// Turns the best states into an answer that is still valid when read from a file: polishes with a tight
// tolerance, undoes negligible changes, and looks for the closest writable row near them (lattice.h).
#include <algorithm>
#include <cmath>

#include "solver/search/search.h"

namespace scfe {
namespace {

constexpr double negligible = 1e-5;      // changes up to this in the work space are undone
constexpr std::size_t most_tried = 9;    // states that are polished until one gives an answer
constexpr double worth_rounding = 1e-4;  // gain, as a share of the cost

}  // namespace

// The best state comes first. If no rounding of it is an answer, for example because one of its changes is
// redundant, the next best is tried.
Task Search::settle() {
  std::ranges::stable_sort(feasible_, {}, &Candidate::score);
  settling_.clear();
  for (const Candidate& state : feasible_) settling_.add() = state;
  feasible_.clear();
  std::size_t next = 0;
  for (; next < std::min(settling_.size(), most_tried) && !answer_.holds(); ++next) {
    if (next > 0 && lanes_.out_of_time()) break;
    best_.point.support = settling_[next].support;
    best_.point.w = settling_[next].w;
    best_.merit = settling_[next].score;
    co_await finish();
    co_await write();
  }
  if (answer_.holds()) co_await write_rivals(next);
}

Task Search::finish() {
  const PolishLimits tight{.rounds = 15, .region = 0.05, .tolerance = 1e-6};
  candidates_.clear();
  add_candidate(best_.point.support, best_.point.w, 0);
  co_await polish_candidates(tight);
  if (polished_.front().merit <= best_.merit) {
    take(polished_.front(), best_);
  } else {  // there is no time for a polish
    asked_.assign({&best_.point});
    co_await evaluate_asked();
  }

  candidates_.clear();
  Candidate& fewer = candidates_.add();
  fewer.support.clear();
  fewer.w.clear();
  for (std::size_t i = 0; i < best_.point.support.size(); ++i) {
    if (std::abs(best_.point.w[i]) <= negligible) continue;
    fewer.support.push_back(best_.point.support[i]);
    fewer.w.push_back(best_.point.w[i]);
  }
  if (fewer.support.size() == best_.point.support.size() || fewer.support.empty()) co_return;
  co_await polish_candidates(tight);
  const double allowed = best_.merit + 1e-4 * std::abs(best_.merit) + 1e-9;
  if (polished_.front().merit <= allowed) take(polished_.front(), best_);
}

// If no writable row near it is an answer, polishes with a higher margin and floor and tries again.
Task Search::write() {
  const Goal wanted = goal_;
  for (int attempt = 1; attempt <= 4; ++attempt) {
    lattice_.add(best_.point, row_->values);
    co_await lattice_.walk();
    if (answer_.holds() || attempt == 4) break;
    goal_.margin = raised_aim(wanted.margin, attempt);
    if (goal_.with_floor) goal_.floor = raised_aim(wanted.floor, attempt);
    candidates_.clear();
    add_candidate(best_.point.support, best_.point.w, 0);
    co_await polish_candidates({.rounds = 15, .region = 0.05, .tolerance = 1e-6});
    if (polished_.front().merit < Goal::infeasible) best_.point = *polished_.front().point;
    goal_ = wanted;
  }
}

// What a support costs before rounding bounds what it costs as written. Every support that is below the
// answer is rounded, too.
Task Search::write_rivals(std::size_t first) {
  const double enough = answer_.objective - worth_rounding * std::abs(answer_.objective);
  std::size_t end = first;
  while (end < settling_.size() && settling_[end].score < enough) ++end;
  if (first >= end || lanes_.out_of_time()) co_return;
  while (rivals_.size() < end - first) rivals_.emplace_back(query_, max_changes_);
  asked_.clear();
  for (std::size_t i = first; i < end; ++i) {
    Point& rival = rivals_[i - first];
    rival.support = settling_[i].support;
    rival.w = settling_[i].w;
    asked_.push_back(&rival);
  }
  co_await evaluate_asked();
  for (const Point* rival : asked_) lattice_.add(*rival, row_->values);
  co_await lattice_.walk();
}

}  // namespace scfe
