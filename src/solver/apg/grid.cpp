#include "solver/apg/grid.h"

#include <cmath>
#include <string>
#include <utility>

#include "scfe/error.h"

namespace scfe {
namespace {

void check(const GridOptions& options) {
  if (options.points < 1) throw Error("points", "at least 1", std::to_string(options.points));
  if (!std::isfinite(options.most) || !(options.least > 0 && options.least <= options.most))
    throw Error("grid", "0 < least <= most",
                std::to_string(options.least) + ", " + std::to_string(options.most));
}

}  // namespace

bool better(const Outcome& a, const Outcome& b) {
  if (a.valid != b.valid) return a.valid;
  if (!a.valid) return false;
  if (a.changes != b.changes) return a.changes < b.changes;
  if (a.log_density != b.log_density) return a.log_density > b.log_density;
  return a.distance < b.distance;
}

std::vector<GridPoint> grid_points(const GridOptions& options) {
  check(options);
  std::vector<double> axis(static_cast<std::size_t>(options.points), options.least);
  const double from = std::log10(options.least), to = std::log10(options.most);
  for (int i = 1; i < options.points; ++i)
    axis[static_cast<std::size_t>(i)] = std::pow(10.0, from + (to - from) * i / (options.points - 1));
  std::vector<GridPoint> points;
  for (const int k : options.k.empty() ? std::vector<int>{0} : options.k)
    for (const double beta : axis)
      for (const double tau : axis) points.push_back({beta, tau, k});
  return points;
}

std::vector<GridChoice> grid_search(const std::vector<GridPoint>& points, const GridRun& run) {
  std::vector<GridChoice> choice;
  for (const GridPoint& point : points) {
    std::vector<Outcome> outcomes = run(point);
    if (choice.empty()) choice.resize(outcomes.size(), {point, {}});
    if (outcomes.size() != choice.size())
      throw Error("outcomes", std::to_string(choice.size()) + " rows", std::to_string(outcomes.size()));
    for (std::size_t row = 0; row < outcomes.size(); ++row)
      if (better(outcomes[row], choice[row].outcome)) choice[row] = {point, std::move(outcomes[row])};
  }
  return choice;
}

}  // namespace scfe
