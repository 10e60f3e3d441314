// Every density of the catalogue in every variant, with the oracles that its values must match.
#pragma once

#include <gtest/gtest.h>

#include "plausibility/mixture/mixture_fit.h"
#include "plausibility/mixture/product_mixture.h"
#include "plausibility/mixture/smoothing.h"
#include "tests/plausibility/mixed.h"
#include "tests/plausibility/oracle.h"
#include "tests/plausibility/own_density.h"

namespace scfe::test {

// The rows of the catalogue that accept such data.
inline std::vector<DensityRow> rows_for(const Mixed& data) {
  std::vector<DensityRow> rows;
  for (const DensityRow& row : density_catalogue())
    if (data.group.empty() || row.categories) rows.push_back(row);
  return rows;
}

struct Variant {
  std::string name;
  DensityOptions options;
};

inline std::vector<Variant> variants(const Mixed& data) {
  DensityOptions base;
  base.bandwidth = 0.15;
  base.max_components = 3;
  base.group = data.group;
  DensityOptions paper = base, plain = base, scaled = base, chebyshev = base;
  chebyshev.gravity_metric = Metric::linf;
  paper.paper = plain.plain_gravity = true;
  scaled.bandwidth = 0.4;
  for (std::size_t j = 0; j < data.rows.cols; ++j)
    scaled.scale.push_back(1.5 + 0.5 * static_cast<double>(j % 5));
  std::vector<Variant> list{{"default", base}, {"plain", plain}, {"scaled", scaled}, {"linf", chebyshev}};
  if (data.group.empty()) list.push_back({"paper", paper});
  std::vector<Variant> all;
  const kernel::Kernels* const* sets = nullptr;
  const std::size_t count = kernel::kernel_sets(&sets);
  for (const Variant& variant : list) {
    for (std::size_t s = 0; s < count; ++s) {
      all.push_back(variant);
      all.back().options.kernels = sets[s];
      all.back().name += std::string(" ") + sets[s]->name;
    }
  }
  return all;
}

inline Oracle none_oracle(DensityKind, const Matrix&, const DensityOptions&) {
  return [](std::span<const double>, std::span<const double>) { return 0.0; };
}

inline Oracle fitted_kde_oracle(DensityKind, const Matrix& rows, const DensityOptions& options) {
  if (options.group.empty())
    return kde_oracle(rows, options.bandwidth, options.scale,
                      options.paper ? 1 : static_cast<double>(rows.cols));
  const Columns columns(options.group, rows.cols);
  const Matrix scaled = to_density_space(rows, scale_with(1, options));
  return mixed_kde_oracle(
      rows, columns, scale_with(1, options),
      choose_smoothing(MixedRows(scaled, columns), columns, options.bandwidth, options.seed));
}

inline Oracle fitted_gmm_oracle(DensityKind kind, const Matrix& rows, const DensityOptions& options) {
  return gmm_oracle(fit_mixture(rows, kind == DensityKind::gmm_full, options).mixture, options.scale);
}

inline Oracle fitted_mixture_oracle(DensityKind, const Matrix& rows, const DensityOptions& options) {
  return products_oracle(fit_products(rows, options).products, options.scale);
}

// Another level adds 1/2 to the squared distance: 1/4 for each of the two columns that change.
inline Oracle fitted_knn_oracle(DensityKind, const Matrix& rows, const DensityOptions& options) {
  return knn_oracle(rows.cols, options.plain_gravity, scale_with(0.5, options));
}

// The naive formulas. A density without one is still compared with differences of its own values.
struct NaiveRow {
  DensityKind kind;
  Oracle (*make)(DensityKind kind, const Matrix& rows, const DensityOptions& options);
};
inline constexpr NaiveRow naive_densities[] = {
    {DensityKind::none, none_oracle},
    {DensityKind::kde, fitted_kde_oracle},
    {DensityKind::gmm, fitted_gmm_oracle},
    {DensityKind::gmm_full, fitted_gmm_oracle},
    {DensityKind::mixture, fitted_mixture_oracle},
    {DensityKind::knn, fitted_knn_oracle},
};

// log q at single points, with the step and the tolerance (relative to the gradient) of differences of it.
struct Expected {
  Oracle log_density;
  double step, tolerance;
};

// The density's own values. They are rounded to float, so that differences need long steps.
inline Expected own_values(const Density& density) {
  const auto value = [&density](std::span<const double> x, std::span<const double> anchor) {
    Matrix point(1, x.size()), anchors(1, x.size());
    std::ranges::copy(x, point[0].begin());
    std::ranges::copy(anchor, anchors[0].begin());
    return evaluate(density, point, anchors).value[0];
  };
  return {value, 0x1p-8, 0.02};
}

// Calls check(density, expected) for each row of the catalogue that accepts such data, in each variant.
// `expected` lists the density's own values and, if there is one, its naive formula.
template <class Check>
void for_each_density(const Mixed& data, const Check& check) {
  for (const DensityRow& row : rows_for(data)) {
    for (const Variant& variant : variants(data)) {
      if (row.is_given && !variant.options.scale.empty()) continue;  // it has its own scale
      const FittedDensity fitted = row.fit(data.rows, given_to(row, variant.options, data.rows.cols));
      SCOPED_TRACE(std::string(row.name) + " " + variant.name);
      std::vector<Expected> expected{own_values(*fitted.density)};
      for (const NaiveRow& naive : naive_densities)
        if (naive.kind == row.kind)
          expected.push_back({naive.make(row.kind, data.rows, variant.options), 1e-5, 1e-4});
      check(*fitted.density, expected);
    }
  }
}

}  // namespace scfe::test
