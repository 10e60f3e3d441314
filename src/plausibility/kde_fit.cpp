// Fitting a KDE: the bandwidth, and the leave-one-out log-densities of the class's rows.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "plausibility/bandwidth.h"
#include "plausibility/kde.h"
#include "plausibility/nearest.h"
#include "scfe/error.h"

namespace scfe {
namespace {

// log n + d log h + d/2 log 2 pi, or the public code's, which counts one dimension whatever d is.
double log_norm(std::size_t points, double dimensions, double h) {
  return std::log(static_cast<double>(points)) +
         dimensions * (std::log(h) + 0.5 * std::log(2 * std::numbers::pi));
}

double leave_one_out(const Matrix& rows, std::size_t left_out, double h, std::vector<double>& exponents) {
  exponents.clear();
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (i != left_out) exponents.push_back(-0.5 * squared_distance(rows[i], rows[left_out]) / (h * h));
  const double peak = *std::ranges::max_element(exponents);
  double sum = 0;
  for (const double e : exponents) sum += std::exp(e - peak);
  return peak + std::log(sum);
}

std::vector<double> held_out(const Matrix& rows, double h, double dimensions, std::uint64_t seed) {
  std::vector<double> values, exponents;
  const double cost = static_cast<double>(rows.rows) * static_cast<double>(rows.cols + 20);
  for (const std::size_t i : held_out_rows(rows.rows, cost, seed))
    values.push_back(leave_one_out(rows, i, h, exponents) - log_norm(rows.rows - 1, dimensions, h));
  std::ranges::sort(values);
  return values;
}

}  // namespace

FittedDensity fit_kde(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  if (!(options.bandwidth >= 0) || !std::isfinite(options.bandwidth))
    throw Error("bandwidth", "a number above 0 (or 0 to have it chosen)", std::to_string(options.bandwidth));
  const Matrix scaled = to_density_space(rows, options.scale);
  const bool alike = rows_alike(scaled);
  double h = options.bandwidth;
  if (h == 0)
    h = alike ? spread_of_alike_rows(options) : choose_bandwidth(scaled, options.paper, options.seed);

  std::vector<double> inverse(rows.cols, 1 / h);
  for (std::size_t j = 0; j < options.scale.size(); ++j) inverse[j] *= options.scale[j];
  const auto features = static_cast<double>(rows.cols);
  const double dimensions = options.paper ? 1 : features;
  FittedDensity fitted;
  fitted.density =
      std::make_shared<Kde>(rows, inverse, log_norm(rows.rows, dimensions, h), chosen_kernels(options));
  fitted.held_out = alike ? std::vector{-log_norm(1, dimensions, h) - 0.5 * features}
                          : held_out(scaled, h, dimensions, options.seed);
  fitted.summary = "kde: bandwidth " + std::to_string(h) + ", " + std::to_string(rows.rows) + " rows";
  return fitted;
}

}  // namespace scfe
