#include "solver/search/axis.h"

namespace scfe {
namespace {

constexpr double most_listed = 20;
constexpr double finest = 1.0 / (1 << 20);  // step of a number without one, as a share of its range

Axis level_axis(const Row& row, std::size_t f) {
  Axis axis;
  for (const int level : row.levels[f])
    if (level != row.values[f]) axis.values.push_back(level);
  return axis;
}

Axis number_axis(const Space& space, const Writing& writing, const Row& row, std::size_t f) {
  const std::size_t j = space.first(f);
  const double step = writing.step[f], x = row.values[f];
  Axis axis;
  if (row.lo[j] == row.hi[j]) return axis;
  axis.lo = row.lo[j] < 0 ? space.to_original(j, row.factual[j] + row.lo[j]) : x;
  axis.hi = row.hi[j] > 0 ? space.to_original(j, row.factual[j] + row.hi[j]) : x;
  axis.step = step > 0 ? step : finest * space.range(f);
  if (step > 0) {  // scaling has rounding errors: a limit on the grid still counts as reached
    axis.lo = std::min(x, writing.neighbour(f, axis.lo - 1e-9 * step, 1));
    axis.hi = std::max(x, writing.neighbour(f, axis.hi + 1e-9 * step, -1));
  }
  axis.fine = !(step > 0) || (axis.hi - axis.lo) / step + 1 > most_listed;
  if (axis.fine) return axis;
  const double tolerance = 1e-9 * step;
  for (double value = writing.neighbour(f, axis.lo - tolerance, 1); value <= axis.hi + tolerance;
       value = writing.neighbour(f, value + 0.5 * step, 1))
    if (value != x) axis.values.push_back(value);
  return axis;
}

}  // namespace

std::vector<Axis> make_axes(const Space& space, const Writing& writing, const Row& row) {
  std::vector<Axis> axes;
  for (std::size_t f = 0; f < space.features(); ++f)
    axes.push_back(space.is_category(f) ? level_axis(row, f) : number_axis(space, writing, row, f));
  return axes;
}

bool has_listed_features(const Space& space, std::span<const Feature> features) {
  if (space.has_categories()) return true;
  std::size_t listed = 0, movable = 0;
  for (const Feature& feature : features) {
    const double step = *feature.step, span = *feature.max - *feature.min;
    if (feature.immutable || span < step) continue;
    ++movable;
    listed += step > 0 && span / step + 1 <= most_listed ? 1 : 0;
  }
  return listed > (movable > moderate_features ? movable / 20 : 0);
}

}  // namespace scfe
