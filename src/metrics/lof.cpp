#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "plausibility/index/near_index.h"
#include "plausibility/index/nearest.h"
#include "scfe/error.h"
#include "scfe/metrics.h"
#include "support/parallel.h"

namespace scfe {
namespace {

double reach_density(std::span<const Neighbour> neighbours, std::span<const double> k_distance) {
  double sum = 0;
  for (const Neighbour& n : neighbours) sum += std::max(n.distance, k_distance[n.row]);
  // As in scikit-learn, 1e-10 keeps the density finite for a row with many copies.
  return 1 / (sum / static_cast<double>(neighbours.size()) + 1e-10);
}

// Gower's column weights: 1 / features for a number, half of that for an indicator, of which a change affects
// two.
std::vector<double> gower_weights(const std::vector<int>& group) {
  std::set<int> categories(group.begin(), group.end());
  categories.erase(categories.begin(), categories.lower_bound(0));
  const auto numbers = static_cast<std::size_t>(std::ranges::count_if(group, [](int g) { return g < 0; }));
  std::vector<double> weights;
  if (categories.empty()) return weights;
  for (const int g : group)
    weights.push_back((g < 0 ? 1.0 : 0.5) / static_cast<double>(numbers + categories.size()));
  return weights;
}

void weigh(std::span<double> values, const std::vector<double>& weights) {
  for (std::size_t j = 0; j < weights.size(); ++j) values[j] *= weights[j];
}

}  // namespace

Lof::Lof(Matrix rows, std::size_t neighbours, const std::vector<int>& group, Metric metric)
    : rows_(std::move(rows)),
      neighbours_(neighbours),
      column_weights_(gower_weights(group)),
      metric_(column_weights_.empty() ? metric : Metric::l1) {
  if (rows_.rows < 2) throw Error("rows", "at least 2 rows", std::to_string(rows_.rows));
  if (neighbours < 1) throw Error("neighbours", "at least 1", std::to_string(neighbours));
  if (!std::ranges::all_of(rows_.values, [](double v) { return std::isfinite(v); }))
    throw Error("rows", "finite numbers", "a value that is not");
  if (!group.empty() && group.size() != rows_.cols)
    throw Error("group", std::to_string(rows_.cols) + " columns", std::to_string(group.size()));
  for (std::size_t i = 0; i < rows_.rows; ++i) weigh(rows_[i], column_weights_);
  neighbours_ = std::min(neighbours, rows_.rows - 1);
  const auto nearest_rows =
      is_indexed(rows_.rows, metric_) ? fit_index() : nearest_of_each(rows_, neighbours_, metric_);
  for (const auto& found : nearest_rows) k_distance_.push_back(found.back().distance);
  for (const auto& found : nearest_rows) density_.push_back(reach_density(found, k_distance_));
}

std::vector<std::vector<Neighbour>> Lof::fit_index() {
  index_ = std::make_shared<NearIndex>(rows_, neighbours_, metric_, 0);
  std::vector<std::vector<Neighbour>> found(rows_.rows);
  constexpr std::size_t piece = 4096;
  Pool pool(0);
  pool.each((rows_.rows + piece - 1) / piece, [&](std::size_t p) {
    for (std::size_t i = p * piece; i < std::min(rows_.rows, (p + 1) * piece); ++i)
      found[i] = index_->nearest(rows_[i], neighbours_, i);
  });
  return found;
}

double Lof::search_error() const { return index_ ? index_->error() : 0; }

double Lof::operator()(std::span<const double> x) const {
  if (x.size() != rows_.cols)
    throw Error("x", std::to_string(rows_.cols) + " features", std::to_string(x.size()));
  std::vector<double> at(x.begin(), x.end());
  weigh(at, column_weights_);
  const std::vector<Neighbour> found =
      index_ ? index_->nearest(at, neighbours_) : nearest(rows_, at, neighbours_, no_row, metric_);
  const double own = reach_density(found, k_distance_);
  double sum = 0;
  for (const Neighbour& n : found) sum += density_[n.row] / own;
  return sum / static_cast<double>(found.size());
}

}  // namespace scfe
