#include "actionability/limits.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/text.h"

namespace scfe {
namespace {

int rank(const Feature& feature, int level) {
  if (feature.order.empty()) return level;
  return static_cast<int>(std::find(feature.order.begin(), feature.order.end(), level) -
                          feature.order.begin());
}

}  // namespace

bool may_become(const Feature& feature, int from, int to) {
  if (to < *feature.min || to > *feature.max) return false;
  const int rise = feature.direction == Direction::any ? 0 : rank(feature, to) - rank(feature, from);
  if (feature.direction == Direction::up ? rise < 0 : rise > 0) return false;
  if (feature.transitions.empty()) return true;
  const std::vector<int>& next = feature.transitions[static_cast<std::size_t>(from)];
  return std::find(next.begin(), next.end(), to) != next.end();
}

bool may_go(const Feature& feature, double from, double to) {
  if (from == to) return true;
  if (feature.immutable) return false;
  if (feature.is_category()) return may_become(feature, static_cast<int>(from), static_cast<int>(to));
  const Direction way = to > from ? Direction::up : Direction::down;
  return (feature.direction == Direction::any || feature.direction == way) &&
         to >= std::min(*feature.min, from) && to <= std::max(*feature.max, from);
}

std::string value_text(const Feature& feature, double value) {
  const auto place = static_cast<std::size_t>(std::max(value, 0.0));
  const bool level = place < feature.levels.size() && static_cast<double>(place) == value;
  return level ? feature.levels[place] : exact_number(value);
}

namespace {

std::vector<int> open_levels(const Feature& feature, int own) {
  if (feature.immutable) return {own};
  std::vector<int> levels;
  for (int level = 0; level < static_cast<int>(feature.level_count()); ++level)
    if (level == own || may_become(feature, own, level)) levels.push_back(level);
  return levels;
}

}  // namespace

void set_limits(std::span<const Feature> features, const Space& space, Factual& row) {
  row.lo.assign(space.columns(), 0.0);
  row.hi.assign(space.columns(), 0.0);
  row.levels.assign(features.size(), {});
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Feature& feature = features[f];
    const std::size_t column = space.first(f);
    const double x = row.values[f];
    if (feature.is_category()) {
      row.levels[f] = open_levels(feature, static_cast<int>(x));
      for (const int level : row.levels[f]) {
        const std::size_t j = column + static_cast<std::size_t>(level);
        if (row.levels[f].size() > 1) (row.factual[j] == 1 ? row.lo[j] = -1 : row.hi[j] = 1);
      }
      continue;
    }
    if (feature.immutable) continue;
    const double u = row.factual[column];
    if (feature.direction != Direction::up && x > *feature.min)
      row.lo[column] = space.to_work(column, *feature.min) - u;
    if (feature.direction != Direction::down && x < *feature.max)
      row.hi[column] = space.to_work(column, *feature.max) - u;
  }
}

std::vector<std::string> limits_in_force(std::span<const Feature> features, const Space& space,
                                         const Factual& row, const Nearest& nearest) {
  std::vector<std::string> limits;
  std::set<std::string> moved;
  for (std::size_t i = 0; i < nearest.support.size(); ++i) {
    const auto j = static_cast<std::size_t>(nearest.support[i]);
    const Feature& feature = features[space.feature_of(j)];
    moved.insert(feature.name);
    if (feature.is_category()) continue;
    // A value less than a step away from its bound cannot move further.
    const double step = std::abs(space.to_work(j, feature.step.value_or(0)) - space.to_work(j, 0));
    const double touch = std::max(1e-6 * std::max(1.0, row.hi[j] - row.lo[j]), 0.999 * step);
    if (nearest.w[i] >= row.hi[j] - touch)
      limits.push_back(feature.name + (feature.direction == Direction::down
                                           ? " may only go down"
                                           : " <= " + value_text(feature, *feature.max)));
    else if (nearest.w[i] <= row.lo[j] + touch)
      limits.push_back(feature.name + (feature.direction == Direction::up
                                           ? " may only go up"
                                           : " >= " + value_text(feature, *feature.min)));
  }
  for (const Feature& feature : features)
    if (!feature.is_category() && *feature.min > *feature.max)
      limits.push_back(feature.name + " has no room: at least " + value_text(feature, *feature.min) +
                       ", at most " + value_text(feature, *feature.max));
    else if (feature.immutable)
      limits.push_back(feature.name + " may not change");
    else if (feature.direction != Direction::any && !moved.contains(feature.name))
      limits.push_back(feature.name +
                       (feature.direction == Direction::up ? " may only go up" : " may only go down"));
  return limits;
}

}  // namespace scfe
