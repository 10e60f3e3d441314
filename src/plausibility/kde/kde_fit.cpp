// Fits a KDE: its bandwidths, and the leave-one-out log-densities of the class's rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plausibility/index/nearest.h"
#include "plausibility/kde/bandwidth.h"
#include "plausibility/kde/coded_kde.h"
#include "plausibility/kde/kde.h"
#include "plausibility/kde/tree_kde.h"
#include "plausibility/many_levels.h"
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

// `scaled`: the rows in the density's space.
Kernel mixed_kernel(const MixedRows& scaled, const Columns& columns, const DensityOptions& options) {
  if (options.paper) throw Error("paper", "false for data with categories", "true");
  Smoothing by{options.bandwidth > 0 ? options.bandwidth : spread_of_alike_rows(options), 0.1};
  if (!scaled.alike()) by = choose_smoothing(scaled, columns, options.bandwidth, options.seed);
  Kernel kernel{scale_with(std::sqrt(-std::log(by.other_level)), options), 0,
                "bandwidth " + std::to_string(by.bandwidth) + ", another level weighs " +
                    std::to_string(by.other_level)};
  for (const int j : columns.numeric) kernel.inverse[j] /= by.bandwidth;
  kernel.log_norm = static_cast<double>(columns.numeric.size()) * (std::log(by.bandwidth) + log_root_two_pi) -
                    log_same_level(columns, by.other_level);
  return kernel;
}

// The log-density of each row, or of a sample, from all others. `squared(i, k)` is the squared distance of
// two rows in units of the kernel's widths and takes `terms` multiplications.
template <class Squared>
std::vector<double> held_out(std::size_t rows, std::size_t terms, const Squared& squared, double log_norm,
                             std::uint64_t seed) {
  std::vector<double> values, exponents;
  const double cost = static_cast<double>(rows) * static_cast<double>(terms + 20);
  for (const std::size_t left_out : held_out_rows(rows, cost, seed)) {
    exponents.clear();
    for (std::size_t i = 0; i < rows; ++i)
      if (i != left_out) exponents.push_back(-0.5 * squared(i, left_out));
    const double peak = *std::ranges::max_element(exponents);
    double sum = 0;
    for (const double e : exponents) sum += std::exp(e - peak);
    values.push_back(peak + std::log(sum / static_cast<double>(rows - 1)) - log_norm);
  }
  std::ranges::sort(values);
  return values;
}

// The expected log-density of a draw from the single kernel. Without numeric columns it is lowered slightly,
// so that rounding cannot put the row itself below the floor.
double expected_of_alike(const Kernel& kernel, const Columns& columns) {
  return -kernel.log_norm - 0.5 * static_cast<double>(columns.numeric.size()) -
         (columns.numeric.empty() ? 1e-3 : 0);
}

void check_bandwidth(double bandwidth) {
  if (!(bandwidth >= 0) || !std::isfinite(bandwidth))
    throw Error("bandwidth", "a number above 0 (or 0 to have it chosen)", std::to_string(bandwidth));
}

// The numbers times the scale of their columns; levels stay.
MixedRows scaled_numbers(const MixedRows& rows, const Columns& columns, const std::vector<double>& scale) {
  MixedRows scaled = rows;
  for (std::size_t i = 0; i < rows.size() && !scale.empty(); ++i)
    for (std::size_t j = 0; j < rows.numeric.cols; ++j)
      scaled.numeric[i][j] *= scale[static_cast<std::size_t>(columns.numeric[j])];
  return scaled;
}

FittedDensity fit_coded_kde(const MixedRows& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  check_bandwidth(options.bandwidth);
  const Columns columns(options.group, rows.columns);
  const Kernel kernel = mixed_kernel(scaled_numbers(rows, columns, options.scale), columns, options);
  const MixedRows scaled = scaled_numbers(rows, columns, kernel.inverse);
  const auto squared = [&](std::size_t i, std::size_t k) {
    double sum = squared_distance(scaled.numeric[i], scaled.numeric[k]);
    for (std::size_t g = 0; g < rows.groups; ++g) {
      const auto a = static_cast<std::size_t>(rows.levels_of(i)[g]),
                 b = static_cast<std::size_t>(rows.levels_of(k)[g]);
      if (a != b) sum += kernel.inverse[a] * kernel.inverse[a] + kernel.inverse[b] * kernel.inverse[b];
    }
    return sum;
  };
  FittedDensity fitted;
  fitted.density = std::make_shared<CodedKde>(rows, columns.numeric, kernel.inverse,
                                              kernel.log_norm + std::log(static_cast<double>(rows.size())),
                                              chosen_kernels(options));
  fitted.held_out = rows.alike() ? std::vector{expected_of_alike(kernel, columns)}
                                 : held_out(rows.size(), rows.numeric.cols + rows.groups, squared,
                                            kernel.log_norm, options.seed);
  fitted.summary = "kde: " + kernel.summary + ", " + std::to_string(rows.size()) + " rows";
  return fitted;
}

}  // namespace

FittedDensity fit_kde_levels(const MixedRows& rows, const DensityOptions& options) {
  if (is_coded(rows)) return fit_coded_kde(rows, options);
  return fit_kde(rows.matrix(options.group), options);
}

FittedDensity fit_kde(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  check_bandwidth(options.bandwidth);
  const Columns columns(options.group, rows.cols);
  const Kernel kernel = columns.groups.empty()
                            ? numeric_kernel(rows, options)
                            : mixed_kernel(MixedRows(to_density_space(rows, scale_with(1, options)), columns),
                                           columns, options);
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
  fitted.held_out =
      rows_alike(scaled)
          ? std::vector{expected_of_alike(kernel, columns)}
          : held_out(
                rows.rows, rows.cols,
                [&](std::size_t i, std::size_t k) { return squared_distance(scaled[i], scaled[k]); },
                kernel.log_norm, options.seed);
  fitted.summary = "kde: " + kernel.summary + ", " + std::to_string(rows.rows) + " rows";
  return fitted;
}

void save_kde(const Density& density, ByteWriter& out) {
  if (const auto* tree = dynamic_cast<const TreeKde*>(&density)) {
    out.put_list(std::vector<float>());  // no points: marks the tree form
    tree->save(out);
  } else if (const auto* coded = dynamic_cast<const CodedKde*>(&density)) {
    out.put_list(std::vector{std::numeric_limits<float>::quiet_NaN()});  // marks the coded form
    coded->save(out);
  } else {
    static_cast<const Kde&>(density).save(out);
  }
}

std::shared_ptr<const Density> load_kde(ByteReader& in) {
  std::vector<float> points = in.get_list<float>();
  if (points.empty()) return std::make_shared<TreeKde>(TreeKde::load(in));
  if (points.size() == 1 && std::isnan(points[0])) return std::make_shared<CodedKde>(CodedKde::load(in));
  return std::make_shared<Kde>(Kde::load(std::move(points), in));
}

}  // namespace scfe
