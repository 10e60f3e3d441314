#include "plausibility/fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plausibility/groups.h"
#include "scfe/error.h"
#include "support/random.h"

namespace scfe {

double quantile_of(const FittedDensity& fitted, double log_density) {
  const auto& values = fitted.held_out;
  const auto above = std::upper_bound(values.begin(), values.end(), log_density);
  return static_cast<double>(above - values.begin()) / static_cast<double>(values.size());
}

double floor_at(const FittedDensity& fitted, double rho) {
  if (!(rho >= 0 && rho <= 1)) throw Error("rho", "a share between 0 and 1", std::to_string(rho));
  const auto& values = fitted.held_out;
  const double place = rho * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double nat_of(const FittedDensity& fitted) {
  const auto& values = fitted.held_out;
  return fitted.density->nat(std::reduce(values.begin(), values.end()) / static_cast<double>(values.size()));
}

namespace {

void check_numbers(const Matrix& rows) {
  if (rows.values.size() != rows.rows * rows.cols)
    throw Error("rows", std::to_string(rows.rows * rows.cols) + " values",
                std::to_string(rows.values.size()));
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j)
      if (!std::isfinite(rows[i][j]))
        throw Error("rows[" + std::to_string(i) + "][" + std::to_string(j) + "]", "a finite number",
                    std::to_string(rows[i][j]));
}

void check_columns(std::size_t rows, std::size_t columns, const std::vector<double>& scales) {
  if (rows == 0) throw Error("rows", "at least one row of the class", "none");
  if (columns == 0) throw Error("rows", "at least one feature", "none");
  if (scales.empty()) return;
  if (scales.size() != columns)
    throw Error("scale", std::to_string(columns) + " features", std::to_string(scales.size()));
  for (const double scale : scales)
    if (!(scale >= 0) || !std::isfinite(scale))
      throw Error("scale", "finite numbers of at least 0", std::to_string(scale));
}

}  // namespace

void check_density_input(const Matrix& rows, const DensityOptions& options) {
  check_columns(rows.rows, rows.cols, {});
  check_numbers(rows);
  check_groups(rows, options.group);
  check_columns(rows.rows, rows.cols, options.scale);
}

void check_density_input(const MixedRows& rows, const DensityOptions& options) {
  check_columns(rows.size(), rows.columns, options.scale);
  check_numbers(rows.numeric);
  if (!options.group.empty() && options.group.size() != rows.columns)
    throw Error("group", std::to_string(rows.columns) + " columns", std::to_string(options.group.size()));
}

void refuse_groups(const char* name, const DensityOptions& options) {
  if (std::ranges::any_of(options.group, [](int group) { return group >= 0; }))
    throw Error("density", "mixture, kde, knn or none for data with categories", name);
}

std::vector<double> scale_with(double indicator, const DensityOptions& options) {
  std::vector<double> scale = options.scale;
  if (scale.empty()) scale.assign(options.group.size(), 1.0);
  for (std::size_t j = 0; j < options.group.size(); ++j)
    if (options.group[j] >= 0) scale[j] = indicator;
  return scale;
}

Matrix to_density_space(const Matrix& rows, std::span<const double> scale) {
  Matrix scaled = rows;
  if (scale.empty()) return scaled;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) scaled[i][j] *= scale[j];
  return scaled;
}

std::vector<double> column_spreads(const Matrix& rows) {
  std::vector<double> spreads(rows.cols);
  const auto count = static_cast<double>(rows.rows);
  for (std::size_t j = 0; j < rows.cols; ++j) {
    double mean = 0, sum = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) mean += rows[i][j] / count;
    // A constant column has spread 0 exactly; its computed mean may differ from its value by rounding.
    bool constant = true;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      constant = constant && rows[i][j] == rows[0][j];
      sum += (rows[i][j] - mean) * (rows[i][j] - mean);
    }
    spreads[j] = constant ? 0 : std::sqrt(sum / count);
  }
  return spreads;
}

const kernel::Kernels& chosen_kernels(const DensityOptions& options) {
  return options.kernels ? *options.kernels : kernel::kernels();
}

std::vector<std::size_t> held_out_rows(std::size_t rows, double cost, std::uint64_t seed) {
  constexpr double budget = 4e9;
  constexpr std::size_t least = 100;
  const double affordable = std::max(budget / cost, 1.0);
  std::vector<std::size_t> order = Random(seed).permutation(rows);
  if (affordable < static_cast<double>(rows))
    order.resize(std::min(rows, std::max(least, static_cast<std::size_t>(affordable))));
  return order;
}

bool rows_alike(const Matrix& rows) {
  for (std::size_t i = 1; i < rows.rows; ++i)
    if (!std::ranges::equal(rows[i], rows[0])) return false;
  return true;
}

double spread_of_alike_rows(const DensityOptions& options) {
  double squares = 0, counted = 0;
  for (const double scale : options.scale) squares += scale * scale, counted += scale > 0 ? 1 : 0;
  return 0.1 * (counted > 0 ? std::sqrt(squares / counted) : 1);
}

}  // namespace scfe
