// Fits a mixture of products: the number of components, and the held-out log-densities.
//
// The number of components maximises the five-fold cross-validated likelihood. BIC would take only 2-4 on
// credit data and miss dependence that shows on held-out rows. The search ends after two values in a row
// without improvement. The plausibility floor is taken from the winner's held-out values. Large classes use a
// sample for both; the final mixture is fitted to the sample first and then to all rows.
#include <algorithm>

#include "plausibility/mixture/mixture_fit.h"
#include "plausibility/mixture/product_mixture.h"
#include "plausibility/mixture/products_em.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t sample_of_products = 4000;
constexpr std::size_t folds = 5;
constexpr std::size_t most_rounds_on_all = 60, least_rounds_on_all = 8;
constexpr std::size_t visits = 6'000'000;  // limit of rows read in all rounds together
constexpr std::size_t component_grid[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

struct Fold {
  MixedRows rest, inside;
};

std::vector<Fold> make_folds(const MixedRows& rows, std::uint64_t seed) {
  const std::vector<std::size_t> order = Random(seed).permutation(rows.size());
  const std::size_t count = std::min(folds, rows.size());
  std::vector<Fold> made;
  for (std::size_t f = 0; f < count; ++f) {
    std::vector<std::size_t> rest, inside;
    for (std::size_t place = 0; place < order.size(); ++place)
      (place % count == f ? inside : rest).push_back(order[place]);
    made.push_back({rows.some(rest), rows.some(inside)});
  }
  return made;
}

std::vector<double> held_out(const std::vector<Fold>& parts, std::size_t components,
                             ProductsEmOptions options) {
  options.starts = std::min<std::size_t>(options.starts, 3);  // a typical optimum is enough here
  std::vector<double> values;
  for (const Fold& fold : parts) {
    options.seed += 1;
    ProductsEm em = ProductsEm::fit(fold.rest, std::min(components, fold.rest.size()), options);
    for (std::size_t i = 0; i < fold.inside.size(); ++i) values.push_back(em.log_density(fold.inside, i));
  }
  return values;
}

struct Choice {
  std::size_t components = 1;
  std::vector<double> held_out;
};

Choice choose(const MixedRows& rows, std::size_t most, const ProductsEmOptions& options) {
  const std::vector<Fold> parts = make_folds(rows, options.seed);
  Choice best;
  double best_sum = 0;
  int worse = 0;
  for (const std::size_t k : component_grid) {
    if (k > most || worse == 2) break;
    std::vector<double> values = held_out(parts, k, options);
    double sum = 0;
    for (const double value : values) sum += value;
    ++worse;
    if (k > 1 && sum <= best_sum) continue;
    best = {k, std::move(values)};
    best_sum = sum;
    worse = 0;
  }
  std::ranges::sort(best.held_out);
  return best;
}

// Subtracts the class's mean, so that sums of squares do not lose digits far from 0. Returns the mean.
std::vector<double> centre(MixedRows& rows) {
  std::vector<double> means(rows.numeric.cols);
  for (std::size_t j = 0; j < means.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      means[j] += rows.numeric[i][j] / static_cast<double>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows.numeric[i][j] -= means[j];
  }
  return means;
}

// The expected log-density of a draw from the single product. Without numeric columns it is lowered slightly,
// so that rounding cannot put the row itself below the floor.
double expected_of_alike(ProductsEm& em, const MixedRows& rows) {
  return em.log_density(rows, 0) - 0.5 * static_cast<double>(rows.numeric.cols) -
         (rows.groups > 0 ? 1e-3 : 0);
}

}  // namespace

ProductsFit fit_products(const MixedRows& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  check_mixture_options(options);
  const Columns columns(options.group, rows.columns);
  const std::vector<double> scale = scale_with(1, options);
  DensityOptions of_numbers = options;
  of_numbers.scale.clear();
  if (!scale.empty())
    for (const int j : columns.numeric) of_numbers.scale.push_back(scale[j]);
  MixedRows all = rows;
  all.numeric = to_density_space(rows.numeric, of_numbers.scale);
  const bool alike = all.alike();
  if (options.scale.empty()) of_numbers.scale.clear();
  const ProductsEmOptions em_options{columns, least_variances(all.numeric, alike, of_numbers), 6,
                                     options.seed};
  const std::size_t most =
      all.distinct(std::min(2 * static_cast<std::size_t>(options.max_components), 1 + rows.size() / 10));
  const std::vector<double> means = centre(all);

  std::vector<std::size_t> order = Random(options.seed).permutation(rows.size());
  order.resize(std::min(rows.size(), sample_of_products));
  const MixedRows sample = all.some(order);
  Choice choice = alike ? Choice{} : choose(sample, most, em_options);
  ProductsEm em = ProductsEm::fit(sample, choice.components, em_options);
  const std::size_t rounds = std::clamp(visits / rows.size(), least_rounds_on_all, most_rounds_on_all);
  if (rows.size() > sample_of_products) em.run(all, static_cast<int>(rounds));
  if (alike) choice.held_out = {expected_of_alike(em, all)};

  ProductsFit fit{em.products(), std::move(choice.held_out)};
  for (std::size_t k = 0; k < choice.components; ++k)
    for (std::size_t j = 0; j < means.size(); ++j) fit.products.means[k][columns.numeric[j]] += means[j];
  return fit;
}

ProductsFit fit_products(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  return fit_products(MixedRows(rows, Columns(options.group, rows.cols)), options);
}

FittedDensity fit_product_mixture_levels(const MixedRows& rows, const DensityOptions& options) {
  ProductsFit fit = fit_products(rows, options);
  const std::size_t components = fit.products.components();
  return {std::make_shared<ProductMixture>(fit.products, scale_with(1, options), chosen_kernels(options)),
          std::move(fit.held_out),
          "mixture: " + std::to_string(components) + (components == 1 ? " component, " : " components, ") +
              std::to_string(rows.size()) + " rows"};
}

FittedDensity fit_product_mixture(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  return fit_product_mixture_levels(MixedRows(rows, Columns(options.group, rows.cols)), options);
}

}  // namespace scfe
