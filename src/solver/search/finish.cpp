// From the best state to an answer that holds when it is read back: tight polish, needless changes
// dropped, every changed value rounded to what its column can hold, and the written row re-checked.
#include <algorithm>
#include <cmath>

#include "solver/search/search.h"

namespace scfe {
namespace {

constexpr std::size_t max_roundings = 256;
constexpr double needless = 1e-5;

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
    if (std::abs(best_.point.w[i]) <= needless) continue;
    fewer.support.push_back(best_.point.support[i]);
    fewer.w.push_back(best_.point.w[i]);
  }
  if (fewer.support.size() == best_.point.support.size() || fewer.support.empty()) co_return;
  co_await polish_candidates(tight);
  const double allowed = best_.merit + 1e-4 * std::abs(best_.merit) + 1e-9;
  if (polished_.front().merit <= allowed) take(polished_.front(), best_);
}

// Rounds, re-checks, and where nothing holds steps further from the boundary and tries again.
Task Search::write() {
  const Goal wanted = goal_;
  for (int attempt = 1; attempt <= 4; ++attempt) {
    list_roundings(attempt);
    co_await try_written();
    if (answer_.holds() || attempt == 4) break;
    goal_.margin = wanted.margin + std::pow(10.0, attempt - 4) * std::max(1.0, std::abs(wanted.margin));
    if (goal_.with_floor)
      goal_.floor = wanted.floor + std::pow(10.0, attempt - 4) * std::max(1.0, std::abs(wanted.floor));
    candidates_.clear();
    add_candidate(best_.point.support, best_.point.w, 0);
    co_await polish_candidates({.rounds = 15, .region = 0.05, .tolerance = 1e-6});
    if (polished_.front().merit < Goal::infeasible) best_.point = *polished_.front().point;
    goal_ = wanted;
  }
}

// Up to `reach` writable values on either side of coordinate i, inside its limits.
void Search::round_coordinate(std::size_t i, int reach) {
  const auto j = static_cast<std::size_t>(best_.point.support[i]);
  const double x = space_.to_original(j, row_->factual[j] + best_.point.w[i]);
  std::vector<double>& choices = choices_[i];
  choices.clear();
  const auto inside = [&](double value) {
    const double w = space_.to_work(j, value) - row_->factual[j];
    const double dust = 1e-12 * (1 + std::abs(row_->factual[j]));
    return w >= row_->lo[j] - dust && w <= row_->hi[j] + dust;
  };
  for (int away = 1; away <= reach; ++away) {
    for (const int side : {-away, away}) {
      const double value = writing_.neighbour(j, x, side);
      if (inside(value) && std::find(choices.begin(), choices.end(), value) == choices.end())
        choices.push_back(value);
    }
  }
  // At a limit, rounding may step over it: then the limit itself is written, with all its digits, or, in a
  // stepped column, nothing is changed.
  if (choices.empty()) choices.push_back(writing_.step[j] > 0 ? row_->values[j] : x);
}

// Every combination of the coordinates' roundings, or only the outward ones where there are too many.
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
    double cost = goal_.tau > 0 ? -goal_.tau * point.log_density : 0;
    for (const int column : best_.point.support) {
      const auto j = static_cast<std::size_t>(column);
      const double w = space_.to_work(j, rows_[i][j]) - row_->factual[j];
      cost += goal_.weight[j] * w * w;
    }
    if (cost >= best || (row_->demand.is_further() && row_->rejects(rows_[i]))) continue;
    best = cost;
    answer_.set(rows_[i], cost, point.margin[0], point.log_density);
  }
}

}  // namespace scfe
