#include "plausibility/mixture/mixture_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "plausibility/mixture/em.h"
#include "scfe/error.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t most_full_rounds = 20000, sample_rows = 8000, most_held_out = 4000;

double parameters(std::size_t components, std::size_t features, bool full) {
  const auto k = static_cast<double>(components), d = static_cast<double>(features);
  return k * (d + (full ? d * (d + 1) / 2 : d)) + k - 1;
}

EmFit fit_by_bic(const Matrix& rows, std::size_t most, const EmOptions& options) {
  EmFit best;
  double best_bic = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1, worse = 0; k <= most && worse < 2; ++k, ++worse) {
    EmFit fit = fit_em(rows, k, options);
    const double bic = -2 * fit.log_likelihood +
                       parameters(k, rows.cols, options.full) * std::log(static_cast<double>(rows.rows));
    if (bic >= best_bic) continue;
    best_bic = bic;
    best = std::move(fit);
    worse = static_cast<std::size_t>(-1);
  }
  return best;
}

// The rows of one fold, or all rows but those.
Matrix fold_rows(const Matrix& rows, const std::vector<std::size_t>& order, std::size_t folds,
                 std::size_t fold, bool inside) {
  Matrix part(0, rows.cols);
  for (std::size_t place = 0; place < order.size(); ++place) {
    if ((place % folds == fold) != inside) continue;
    const auto row = rows[order[place]];
    part.values.insert(part.values.end(), row.begin(), row.end());
    ++part.rows;
  }
  return part;
}

std::vector<double> held_out(const Matrix& rows, std::size_t components, EmOptions options) {
  const std::size_t folds = std::min<std::size_t>(5, rows.rows);
  const std::vector<std::size_t> order = Random(options.seed).permutation(rows.rows);
  options.starts = 5;  // a typical optimum is enough here, not the best
  std::vector<double> values;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const Matrix rest = fold_rows(rows, order, folds, fold, false);
    const Matrix inside = fold_rows(rows, order, folds, fold, true);
    options.seed += 1;
    const GaussianMixture mixture = fit_em(rest, std::min(components, rest.rows), options).mixture;
    const Whitened whitened = whiten(mixture);
    std::vector<double> exponents(mixture.components());
    for (std::size_t i = 0; i < inside.rows; ++i)
      values.push_back(log_density(mixture, whitened, inside[i], exponents));
  }
  std::ranges::sort(values);
  return values;
}

// For many rows: a sample gives the number of components and the start; mini-batches of all rows but the
// held-out ones then refine it.
MixtureFit fit_many(const Matrix& rows, std::size_t most, const EmOptions& options) {
  const std::vector<std::size_t> order = Random(options.seed).permutation(rows.rows);
  const std::span<const std::size_t> held(order.data(), most_held_out),
      rest(order.data() + most_held_out, order.size() - most_held_out);
  Matrix sample(sample_rows, rows.cols);
  for (std::size_t i = 0; i < sample_rows; ++i) std::ranges::copy(rows[rest[i]], sample[i].begin());
  MixtureFit fit;
  fit.mixture = refine_by_batches(rows, rest, fit_by_bic(sample, most, options).mixture, options);
  const Whitened whitened = whiten(fit.mixture);
  std::vector<double> exponents(fit.mixture.components());
  for (const std::size_t i : held)
    fit.held_out.push_back(log_density(fit.mixture, whitened, rows[i], exponents));
  std::ranges::sort(fit.held_out);
  return fit;
}

}  // namespace

std::size_t distinct_rows(const Matrix& rows, std::size_t enough) {
  std::set<std::vector<double>> seen;
  for (std::size_t i = 0; i < rows.rows && seen.size() < enough; ++i)
    seen.emplace(rows[i].begin(), rows[i].end());
  return seen.size();
}

std::vector<double> least_variances(const Matrix& scaled, bool alike, const DensityOptions& options) {
  std::vector<double> least = column_spreads(scaled);
  for (std::size_t j = 0; j < least.size(); ++j) {
    const double unit = options.scale.empty() || options.scale[j] == 0 ? 1 : options.scale[j];
    const double spread = alike ? 0.1 * unit : std::max(options.spread_floor * least[j], 1e-3 * unit);
    least[j] = spread * spread;
  }
  return least;
}

void check_mixture_options(const DensityOptions& options) {
  if (options.max_components < 1)
    throw Error("max_components", "at least 1", std::to_string(options.max_components));
  if (!(options.spread_floor > 0) || !std::isfinite(options.spread_floor))
    throw Error("spread_floor", "a number above 0", std::to_string(options.spread_floor));
}

MixtureFit fit_mixture(const Matrix& rows, bool full, const DensityOptions& options) {
  check_density_input(rows, options);
  check_mixture_options(options);
  const Matrix scaled = to_density_space(rows, options.scale);
  const bool alike = rows_alike(scaled);
  EmOptions em;
  em.full = full;
  em.least_variance = least_variances(scaled, alike, options);
  em.seed = options.seed;

  const auto most = static_cast<std::size_t>(options.max_components);
  const bool many = rows.rows > most_full_rounds && !alike;
  MixtureFit fit;
  if (many)
    fit = fit_many(scaled, distinct_rows(scaled, most), em);
  else
    fit.mixture = fit_by_bic(scaled, distinct_rows(scaled, most), em).mixture;
  const std::size_t chosen = fit.mixture.components();
  if (alike)
    fit.held_out = {whiten(fit.mixture).log_weights[0] - 0.5 * static_cast<double>(rows.cols)};
  else if (!many)
    fit.held_out = held_out(scaled, chosen, em);
  fit.summary = std::to_string(chosen) + (chosen == 1 ? " component, " : " components, ") +
                std::to_string(rows.rows) + " rows" + (many ? " by mini-batches" : "");
  return fit;
}

double to_work_space(double coordinate, double scale) { return scale == 0 ? 0 : coordinate / scale; }

}  // namespace scfe
