#include "explainer/class_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "plausibility/reachable.h"

namespace scfe {
namespace {

const FittedDensity& density_of(const ClassDensities& of, int target) {
  return of.densities[static_cast<std::size_t>(target)];
}

// Log-densities are evaluated in single precision, bounds in double: this is far above the difference.
double rounding(const FittedDensity& fitted, double log_density) {
  return 0.02 * std::abs(nat_of(fitted)) + 1e-4 * std::abs(log_density);
}

// The distance of an answer whose only change is this one.
double distance_of(const Space& space, std::size_t feature, double from, double to) {
  const Proximity& proximity = space.proximity();
  return proximity.squared ? space.distance(feature, from, to)
                           : proximity.distance(space.cost(feature, from, to));
}

// Shortens the limits to changes of at most this distance.
void shorten(const Space& space, const Factual& row, double distance, Reachable& where) {
  const double most = distance * (1 + 1e-6) + 1e-9;
  for (std::size_t f = 0; f < space.features(); ++f) {
    const std::size_t column = space.first(f);
    if (space.is_derived(f)) continue;
    if (!space.is_category(f)) {
      const double unit =
          distance_of(space, f, 0, space.scale(column));  // of a change by 1 in the work space
      const double length = unit > 0 ? most / unit : std::numeric_limits<double>::infinity();
      where.lo[column] = std::max(where.lo[column], -length);
      where.hi[column] = std::min(where.hi[column], length);
      continue;
    }
    for (const int level : row.levels[f])
      if (distance_of(space, f, row.values[f], level) > most)
        where.hi[column + static_cast<std::size_t>(level)] = 0;
  }
}

}  // namespace

ClassBounds::ClassBounds(const ClassDensities& of, Factual limits, std::optional<double> own_floor,
                         std::span<const int> targets)
    : of_(of), limits_(std::move(limits)), own_floor_(own_floor) {
  for (const int target : targets) {
    Bound bound{.target = target};
    const std::optional<double> floor = floor_of(target);
    const std::vector<double> bounds = floor ? most(target, of.most_changes, {}) : std::vector<double>();
    if (!bounds.empty()) {
      bound.known = true;
      while (bound.changes < bounds.size() && !may_reach(target, bounds[bound.changes])) ++bound.changes;
      const FittedDensity& fitted = density_of(of, target);
      bound.quantile = quantile_of(fitted, bounds.back() + rounding(fitted, bounds.back()));
    }
    bounds_.push_back(bound);
  }
}

std::optional<double> ClassBounds::floor_of(int target) const {
  return own_floor_ ? own_floor_ : of_.floors[static_cast<std::size_t>(target)];
}

// Also true if the bound is not a number.
bool ClassBounds::may_reach(int target, double log_density) const {
  const double floor = *floor_of(target);
  return !(log_density < floor - rounding(density_of(of_, target), floor));
}

std::vector<double> ClassBounds::most(int target, std::size_t changes, std::optional<double> distance) const {
  const Density& density = *density_of(of_, target).density;
  std::vector<float> anchor(limits_.factual.size());
  density.anchor(std::vector<float>(limits_.factual.begin(), limits_.factual.end()), anchor);
  std::optional<Separable> separable = density.separable(anchor);
  if (!separable) return {};
  Reachable where = reachable(of_.space, limits_);
  if (distance) shorten(of_.space, limits_, *distance, where);
  return ReachableDensity(std::move(*separable), where).by_changes(changes);
}

bool ClassBounds::may_beat(const Bound& bound, const Explanation& rival, bool fewest_first) const {
  if (!bound.known || !rival.found()) return true;
  if (rival.status == Status::below_floor)
    return bound.changes <= of_.most_changes || bound.quantile >= rival.quantile;
  const std::size_t changes = fewest_first ? rival.changes.size() : of_.most_changes;
  if (fewest_first && bound.changes < changes) return true;
  if (bound.changes > changes) return false;
  return may_reach(bound.target, most(bound.target, changes, rival.distance)[changes]);
}

}  // namespace scfe
