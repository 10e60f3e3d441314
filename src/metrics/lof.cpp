#include <algorithm>
#include <cmath>
#include <string>

#include "plausibility/nearest.h"
#include "scfe/error.h"
#include "scfe/metrics.h"

namespace scfe {
namespace {

double reach_density(std::span<const Neighbour> neighbours, std::span<const double> k_distance) {
  double sum = 0;
  for (const Neighbour& n : neighbours) sum += std::max(n.distance, k_distance[n.row]);
  // scikit-learn's guard: a row with more copies than neighbours would be infinitely dense.
  return 1 / (sum / static_cast<double>(neighbours.size()) + 1e-10);
}

}  // namespace

Lof::Lof(Matrix rows, std::size_t neighbours) : rows_(std::move(rows)), neighbours_(neighbours) {
  if (rows_.rows < 2) throw Error("rows", "at least 2 rows", std::to_string(rows_.rows));
  if (neighbours < 1) throw Error("neighbours", "at least 1", std::to_string(neighbours));
  if (!std::ranges::all_of(rows_.values, [](double v) { return std::isfinite(v); }))
    throw Error("rows", "finite numbers", "a value that is not");
  neighbours_ = std::min(neighbours, rows_.rows - 1);
  const auto nearest_rows = nearest_of_each(rows_, neighbours_);
  for (const auto& found : nearest_rows) k_distance_.push_back(found.back().distance);
  for (const auto& found : nearest_rows) density_.push_back(reach_density(found, k_distance_));
}

double Lof::operator()(std::span<const double> x) const {
  if (x.size() != rows_.cols)
    throw Error("x", std::to_string(rows_.cols) + " features", std::to_string(x.size()));
  const std::vector<Neighbour> found = nearest(rows_, x, neighbours_);
  const double own = reach_density(found, k_distance_);
  double sum = 0;
  for (const Neighbour& n : found) sum += density_[n.row] / own;
  return sum / static_cast<double>(found.size());
}

}  // namespace scfe
