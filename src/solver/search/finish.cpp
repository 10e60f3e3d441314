// Turns the best state into an answer that is still valid when read from a file: polishes with a tight
// tolerance, undoes negligible changes, rounds each value to what its column can hold, and checks the row as
// written.
#include <algorithm>
#include <cmath>

#include "solver/search/search.h"

namespace scfe {
namespace {

constexpr std::size_t max_roundings = 256;
constexpr double negligible = 1e-5;  // changes up to this in the work space are undone

}  // namespace

Task Search::finish() {
  const PolishLimits tight{.rounds = 15, .region = 0.05, .tolerance = 1e-6};
  candidates_.clear();
  add_candidate(best_.point.support, best_.point.w, 0);
  co_await polish_candidates(tight);
  if (polished_.front().merit < best_.merit) take(polished_.front(), best_);

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

// Rounds and checks; if no rounding is an answer, polishes with a higher margin and floor and tries again.
Task Search::write() {
  const Goal wanted = goal_;
  for (int attempt = 1; attempt <= 4; ++attempt) {
    list_roundings(attempt);
    co_await try_written();
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

// Lists up to `reach` writable values on either side of coordinate i, within its limits.
void Search::round_coordinate(std::size_t i, int reach) {
  const auto j = static_cast<std::size_t>(best_.point.support[i]);
  const double x = space_.to_original(j, row_->factual[j] + best_.point.w[i]);
  std::vector<double>& choices = choices_[i];
  choices.clear();
  const auto inside = [&](double value) {
    const double w = space_.to_work(j, value) - row_->factual[j];
    const double tolerance = 1e-12 * (1 + std::abs(row_->factual[j]));
    return w >= row_->lo[j] - tolerance && w <= row_->hi[j] + tolerance;
  };
  for (int away = 1; away <= reach; ++away) {
    for (const int side : {-away, away}) {
      const double value = writing_.neighbour(j, x, side);
      if (inside(value) && std::find(choices.begin(), choices.end(), value) == choices.end())
        choices.push_back(value);
    }
  }
  // At a limit there may be no writable value within it. Then the limit itself is written with all its
  // digits, or, if the column has a step, the feature is left unchanged.
  if (choices.empty()) choices.push_back(writing_.step[j] > 0 ? row_->values[j] : x);
}

// Lists all combinations of the coordinates' roundings; if there are too many, only the one that rounds all
// away from the factual.
void Search::list_roundings(int reach) {
  const std::vector<int>& support = best_.point.support;
  choices_.resize(support.size());
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < support.size(); ++i) {
    round_coordinate(i, reach);
    combinations = std::min(combinations * choices_[i].size(), max_roundings + 1);
  }
  rows_.clear();
  const auto add = [&](const auto& choose) {
    std::vector<double>& row = rows_.emplace_back(row_->values);
    for (std::size_t i = 0; i < support.size(); ++i) row[static_cast<std::size_t>(support[i])] = choose(i);
  };
  if (combinations <= max_roundings) {
    for (std::size_t c = 0; c < combinations; ++c) {
      std::size_t rest = c;
      add([&](std::size_t i) {
        const std::size_t pick = rest % choices_[i].size();
        rest /= choices_[i].size();
        return choices_[i][pick];
      });
    }
    return;
  }
  add([&](std::size_t i) {
    const auto [low, high] = std::minmax_element(choices_[i].begin(), choices_[i].end());
    return best_.point.w[i] < 0 ? *low : *high;
  });
}

Task Search::try_written() {
  while (row_points_.size() < rows_.size()) row_points_.emplace_back(query_, 0);
  asked_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    row_points_[i].written = &rows_[i];
    asked_.push_back(&row_points_[i]);
  }
  co_await evaluate_asked();

  double best = Goal::infeasible;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Point& point = row_points_[i];
    if (!goal_.feasible(point)) continue;
    double distance = 0;
    for (const int column : best_.point.support) {
      const auto j = static_cast<std::size_t>(column);
      const double w = space_.to_work(j, rows_[i][j]) - row_->factual[j];
      distance += goal_.proximity.cost(goal_.weight[j], w);
    }
    const double cost = goal_.objective(distance, point.log_density);
    if (cost >= best || !row_->keeps_rules(rows_[i])) continue;
    if (row_->demand.is_further() && row_->rejects(rows_[i])) continue;
    best = cost;
    answer_.set(rows_[i], cost, point.margin[0], point.log_density);
  }
}

}  // namespace scfe
