// Making an index of near rows: how many cells a search opens.
#include <algorithm>
#include <cmath>

#include "plausibility/near_index.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t calibration_rows = 48;  // and as many again to measure the error
constexpr double wished_error = 0.005;
constexpr std::size_t fewest_cells = 8;

double mean_distance(const std::vector<Neighbour>& found) {
  double sum = 0;
  for (const Neighbour& n : found) sum += n.distance;
  return sum / static_cast<double>(found.size());
}

}  // namespace

NearIndex::NearIndex(const Matrix& rows, std::size_t neighbours, Metric metric, std::uint64_t seed)
    : features_(rows.cols), metric_(metric) {
  const std::vector<float> values(rows.values.begin(), rows.values.end());
  cells_ = sort_into_cells(values, features_, kernel::kernels());
  cells_.sections.clear();
  pack(values);
  complete();
  calibrate(rows, neighbours, seed);
}

// Rows are left out of their own neighbours.
void NearIndex::calibrate(const Matrix& rows, std::size_t neighbours, std::uint64_t seed) {
  std::vector<std::size_t> order = Random(seed).permutation(rows.rows);
  order.resize(std::min(rows.rows, 2 * calibration_rows));
  std::vector<double> exact;
  for (const std::size_t i : order)
    exact.push_back(mean_distance(scfe::nearest(rows, rows[i], neighbours, i, metric_)));
  const std::span<const std::size_t> all(order);
  const std::span<const double> truth(exact);
  const std::size_t half = order.size() / 2;
  for (cells_opened_ = fewest_cells; cells_opened_ < cells_.sizes.size(); cells_opened_ += cells_opened_ / 2)
    if (mean_error(rows, all.first(half), truth.first(half), neighbours) <= wished_error) break;
  error_ = mean_error(rows, all.subspan(half), truth.subspan(half), neighbours);
}

double NearIndex::mean_error(const Matrix& rows, std::span<const std::size_t> which,
                             std::span<const double> exact, std::size_t neighbours) const {
  double sum = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const double found = mean_distance(nearest(rows[which[i]], neighbours, which[i]));
    // What float does not tell apart is no error: rows with copies.
    if (std::abs(found - exact[i]) > 1e-5) sum += std::abs(std::log(found / std::max(exact[i], 1e-5)));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, which.size()));
}

}  // namespace scfe
