// Fits a KDE: its bandwidths, and the leave-one-out log-densities of the class's rows.
#include <algorithm>
#include <cmath>

#include "plausibility/index/nearest.h"
#include "plausibility/kde/bandwidth.h"
#include "plausibility/kde/kde.h"
#include "plausibility/kde/tree_kde.h"
#include "plausibility/mixture/smoothing.h"
#include "scfe/error.h"

namespace scfe {
namespace {

// In units of its widths the kernel is exp(-1/2 |x - y|²) / norm.
struct Kernel {
  std::vector<double> inverse;  // 1 / width of each column
  double log_norm = 0;
  std::string summary;
};

constexpr double log_root_two_pi = 0.91893853320467274178;

double chosen_bandwidth(const Matrix& rows, const DensityOptions& options) {
  if (options.bandwidth > 0) return options.bandwidth;
  const Matrix scaled = to_density_space(rows, options.scale);
  return rows_alike(scaled) ? spread_of_alike_rows(options)
                            : choose_bandwidth(scaled, options.paper, options.seed);
}

Kernel numeric_kernel(const Matrix& rows, const DensityOptions& options) {
  const double h = chosen_bandwidth(rows, options);
  Kernel kernel{std::vector<double>(rows.cols, 1 / h), 0, "bandwidth " + std::to_string(h)};
  for (std::size_t j = 0; j < options.scale.size(); ++j) kernel.inverse[j] *= options.scale[j];
  // The authors' public code counts one dimension for any number of columns.
  const double dimensions = options.paper ? 1 : static_cast<double>(rows.cols);
  kernel.log_norm = dimensions * (std::log(h) + log_root_two_pi);
  return kernel;
}

Kernel mixed_kernel(const Matrix& rows, const Columns& columns, const DensityOptions& options) {
  if (options.paper) throw Error("paper", "false for data with categories", "true");
  const Matrix scaled = to_density_space(rows, scale_with(1, options));
  Smoothing by{options.bandwidth > 0 ? options.bandwidth : spread_of_alike_rows(options), 0.1};
  if (!rows_alike(scaled)) by = choose_smoothing(scaled, columns, options.bandwidth, options.seed);
  Kernel kernel{scale_with(std::sqrt(-std::log(by.other_level)), options), 0,
                "bandwidth " + std::to_string(by.bandwidth) + ", another level weighs " +
                    std::to_string(by.other_level)};
  for (const int j : columns.numeric) kernel.inverse[j] /= by.bandwidth;
  kernel.log_norm = static_cast<double>(columns.numeric.size()) * (std::log(by.bandwidth) + log_root_two_pi) -
                    log_same_level(columns, by.other_level);
  return kernel;
}

// The log-density of one row from all others, without log_norm. Rows are in units of the kernel's widths.
double leave_one_out(const Matrix& rows, std::size_t left_out, std::vector<double>& exponents) {
  exponents.clear();
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (i != left_out) exponents.push_back(-0.5 * squared_distance(rows[i], rows[left_out]));
  const double peak = *std::ranges::max_element(exponents);
  double sum = 0;
  for (const double e : exponents) sum += std::exp(e - peak);
  return peak + std::log(sum / static_cast<double>(rows.rows - 1));
}

std::vector<double> held_out(const Matrix& rows, double log_norm, std::uint64_t seed) {
  std::vector<double> values, exponents;
  const double cost = static_cast<double>(rows.rows) * static_cast<double>(rows.cols + 20);
  for (const std::size_t i : held_out_rows(rows.rows, cost, seed))
    values.push_back(leave_one_out(rows, i, exponents) - log_norm);
  std::ranges::sort(values);
  return values;
}

// The expected log-density of a draw from the single kernel. Without numeric columns it is lowered slightly,
// so that rounding cannot put the row itself below the floor.
double expected_of_alike(const Kernel& kernel, const Columns& columns) {
  return -kernel.log_norm - 0.5 * static_cast<double>(columns.numeric.size()) -
         (columns.numeric.empty() ? 1e-3 : 0);
}

}  // namespace

FittedDensity fit_kde(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  if (!(options.bandwidth >= 0) || !std::isfinite(options.bandwidth))
    throw Error("bandwidth", "a number above 0 (or 0 to have it chosen)", std::to_string(options.bandwidth));
  const Columns columns(options.group, rows.cols);
  const Kernel kernel =
      columns.groups.empty() ? numeric_kernel(rows, options) : mixed_kernel(rows, columns, options);
  if (rows.rows > most_exact_rows && !rows_alike(rows)) {
    TreeFit fit = fit_tree_kde(rows, kernel.inverse, kernel.log_norm, options);
    return {fit.density, std::move(fit.held_out),
            "kde: " + kernel.summary + ", " + std::to_string(rows.rows) + " rows" + fit.summary};
  }
  const Matrix scaled = to_density_space(rows, kernel.inverse);
  FittedDensity fitted;
  fitted.density =
      std::make_shared<Kde>(rows, kernel.inverse, kernel.log_norm + std::log(static_cast<double>(rows.rows)),
                            chosen_kernels(options));
  fitted.held_out = rows_alike(scaled) ? std::vector{expected_of_alike(kernel, columns)}
                                       : held_out(scaled, kernel.log_norm, options.seed);
  fitted.summary = "kde: " + kernel.summary + ", " + std::to_string(rows.rows) + " rows";
  return fitted;
}

void save_kde(const Density& density, ByteWriter& out) {
  if (const auto* tree = dynamic_cast<const TreeKde*>(&density)) {
    out.put_list(std::vector<float>());  // no points: marks the tree form
    tree->save(out);
  } else {
    static_cast<const Kde&>(density).save(out);
  }
}

std::shared_ptr<const Density> load_kde(ByteReader& in) {
  std::vector<float> points = in.get_list<float>();
  if (points.empty()) return std::make_shared<TreeKde>(TreeKde::load(in));
  return std::make_shared<Kde>(Kde::load(std::move(points), in));
}

}  // namespace scfe
