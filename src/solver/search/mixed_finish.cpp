// Turns a start into a row that can be written: polishes its fine numbers, rounds them, solves the finest
// again.
#include <algorithm>
#include <array>
#include <cmath>

#include "solver/search/mixed.h"

namespace scfe {
namespace {

constexpr std::size_t max_coarse_roundings = 64;

}  // namespace

Task MixedSearch::polish_starts() {
  while (polishes_.size() < starts_.size()) polishes_.emplace_back(query_, max_changes_);
  if (bases_.size() < starts_.size()) bases_.resize(starts_.size(), *row_);
  std::vector<int> columns;
  std::vector<double> w;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const State& start = starts_[i];
    tried_.insert(key(start));
    bases_[i] = *row_;
    columns.clear();
    w.clear();
    for (const int feature : start.support) {
      const auto f = static_cast<std::size_t>(feature);
      if (!axes_[f].fine) {
        bases_[i].values[f] = start.values[f];
        continue;
      }
      const std::size_t j = space_.first(f);
      columns.push_back(static_cast<int>(j));
      w.push_back(space_.to_work(j, start.values[f]) - row_->factual[j]);
    }
    space_.to_columns(bases_[i].values, bases_[i].factual);
    if (row_->links != nullptr) stay_within_implications(start, bases_[i]);
    polishes_[i].start(bases_[i], goal_, {.rounds = options_.rounds}, columns, w);
  }
  while (!lanes_.out_of_time() && ask_trials(starts_.size())) {
    co_await evaluate_asked();
    digest_trials(starts_.size());
  }
  lines_.clear();
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (polishes_[i].started() && polishes_[i].merit() < Goal::infeasible)
      round_fine(starts_[i], polishes_[i].best());
  co_await bisect_lines();
}

// Each coarser number takes its four neighbours on the grid (two, or the nearest, if there would be too many
// combinations), the finest becomes a line, and numbers that an equality determines follow.
void MixedSearch::round_fine(const State& start, const Point& polished) {
  std::vector<double> values = start.values;
  std::vector<std::size_t> coarse;
  for (std::size_t i = 0; i < polished.support.size(); ++i) {
    const auto j = static_cast<std::size_t>(polished.support[i]);
    const std::size_t f = space_.feature_of(j);
    const bool stays = !goal_.proximity.squared && polished.w[i] == 0;
    values[f] = stays ? row_->values[f] : space_.to_original(j, row_->factual[j] + polished.w[i]);
    coarse.push_back(f);
  }
  const std::vector<Dependent> dependents = take_dependents(coarse);
  const auto least = std::ranges::min_element(coarse, {}, [&](std::size_t f) { return fineness(f); });
  const bool determined = least == coarse.end();
  const std::size_t finest = determined ? dependents.front().feature : *least;
  if (!determined) coarse.erase(least);
  std::size_t reach = 4;
  while (reach > 1 && std::pow(reach, coarse.size()) > max_coarse_roundings) reach /= 2;
  const auto combinations = static_cast<std::size_t>(std::pow(reach, coarse.size()));
  const double near = determined ? row_->values[finest] : values[finest];
  std::vector<double> rounded;
  for (std::size_t c = 0; c < combinations; ++c) {
    rounded = values;
    std::size_t rest = c;
    bool inside = true;
    for (const std::size_t f : coarse) {
      constexpr std::array away = {-1, 1, -2, 2};
      const double x = values[f];
      rounded[f] = reach == 1 ? writing_.nearest(f, x) : writing_.neighbour(f, x, away[rest % reach]);
      rest /= reach;
      inside = inside && rounded[f] >= axes_[f].lo && rounded[f] <= axes_[f].hi;
    }
    if (!inside) continue;
    add_line(rounded, finest, near, dependents);
    // Lengths leave the less efficient numbers where they are; rounding the others may need them either way.
    if (!goal_.proximity.squared && !determined && near == row_->values[finest])
      add_line(rounded, finest, near - axes_[finest].step, dependents);
  }
}

void MixedSearch::add_line(const std::vector<double>& values, std::size_t finest, double near,
                           const std::vector<Dependent>& dependents) {
  const Axis& axis = axes_[finest];
  const double x = row_->values[finest], side = near < x ? -1.0 : 1.0;
  others_ = values;
  others_[finest] = x;
  for (const Dependent& d : dependents) others_[d.feature] = row_->values[d.feature];
  const double base_cost = cost_of(others_);
  const double reach = (side < 0 ? x - axis.lo : axis.hi - x) / axis.step;
  double last = std::floor(reach * (1 + 1e-12) + 1e-9);
  if (goal_.tau == 0 && answer_.holds()) {
    const double unit = space_.cost(finest, x, x + axis.step);
    const double steps = std::max(0.0, answer_.objective - base_cost) / unit;
    last = std::min(last, std::floor(goal_.proximity.length(steps)));
  }
  if (!(last >= 0) || (goal_.tau == 0 && base_cost >= answer_.objective)) return;
  Line line{RowForms(space_), others_, finest, base_cost, side, 0, 0, 0, -1, -1, 0, true, dependents};
  line.row.set(space_, line.values);
  const bool determined = !dependents.empty() && dependents.front().feature == finest;
  line.last = determined ? 0 : last;
  line.at = std::min(std::floor(std::abs(near - x) / axis.step), line.last);
  line.stride = std::max(1.0, std::floor(0.002 * space_.range(finest) / axis.step));
  if (row_->links != nullptr && !clip(line)) return;
  // If other numbers depend on this one, the fewest steps need not be the cheapest, so its neighbours are
  // tried one by one.
  if (!dependents.empty())
    for (double at = std::max(line.first, line.at - 2); at <= std::min(line.last, line.at + 3); ++at) {
      Line point = line;
      point.first = point.last = point.at = at;
      lines_.push_back(std::move(point));
    }
  lines_.push_back(std::move(line));
}

double MixedSearch::value_at(const Line& line, double steps) const {
  const double x = row_->values[line.feature];
  return steps == 0 ? x : writing_.nearest(line.feature, x + line.side * steps * axes_[line.feature].step);
}

// Bisects all lines side by side for the fewest feasible steps, near where the polish ended.
Task MixedSearch::bisect_lines() {
  std::vector<std::size_t> at_work;
  for (;;) {
    at_work.clear();
    probes_.clear();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!lines_[i].active) continue;
      at_work.push_back(i);
      if (row_->links != nullptr) place(lines_[i], lines_[i].at);
      const int feature = row_->links != nullptr ? -1 : static_cast<int>(lines_[i].feature);
      probes_.push_back({&lines_[i].row, feature, value_at(lines_[i], lines_[i].at)});
    }
    if (probes_.empty()) co_return;
    co_await lanes_.measure(*row_, probes_);
    for (std::size_t k = 0; k < at_work.size(); ++k) advance(lines_[at_work[k]], probes_[k]);
    if (lanes_.out_of_time()) co_return;
  }
}

void MixedSearch::advance(Line& line, const Probe& probe) {
  if (row_->links == nullptr) line.values[line.feature] = probe.value;
  const bool holds = goal_.feasible(probe) && keeps_limits(line);
  if (holds) {
    double cost = line.base_cost;
    const auto pay = [&](std::size_t f) { cost += space_.cost(f, row_->values[f], line.values[f]); };
    for (const Dependent& d : line.dependents) pay(d.feature);
    if (line.dependents.empty() || line.dependents.front().feature != line.feature) pay(line.feature);
    accept(line.values, cost, probe);
  }
  (holds ? line.inside : line.outside) = line.at;
  if (line.inside >= 0 && line.outside >= 0) {
    line.active = line.inside - line.outside > 1;
    line.at = std::floor((line.inside + line.outside) / 2);
    return;
  }
  // Steps away from the factual until it is feasible, or towards it until it is not.
  const double to =
      holds ? std::max(line.first, line.at - line.stride) : std::min(line.last, line.at + line.stride);
  line.active = to != line.at;
  line.at = to;
  line.stride *= 3;
}

}  // namespace scfe
