// Every density in every variant, with its naive oracle.
#pragma once

#include <gtest/gtest.h>

#include "plausibility/mixture/mixture_fit.h"
#include "plausibility/mixture/product_mixture_fit.h"
#include "plausibility/mixture/smoothing.h"
#include "tests/plausibility/mixed.h"
#include "tests/plausibility/oracle.h"

namespace scfe::test {

// The rows of the catalogue that take such data.
inline std::vector<DensityRow> rows_for(const Mixed& data) {
  std::vector<DensityRow> rows;
  for (const DensityRow& row : density_catalogue())
    if (data.group.empty() || (row.name != "gmm" && row.name != "gmm_full")) rows.push_back(row);
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
  DensityOptions paper = base, plain = base, scaled = base;
  paper.paper = plain.plain_gravity = true;
  scaled.bandwidth = 0.4;
  for (std::size_t j = 0; j < data.rows.cols; ++j)
    scaled.scale.push_back(1.5 + 0.5 * static_cast<double>(j % 5));
  std::vector<Variant> list{{"default", base}, {"plain", plain}, {"scaled", scaled}};
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

inline Oracle oracle_of(std::string_view name, const Matrix& rows, const DensityOptions& options) {
  if (name == "none") return [](std::span<const double>, std::span<const double>) { return 0.0; };
  if (name == "kde" && !options.group.empty()) {
    const Columns columns(options.group, rows.cols);
    const Matrix scaled = to_density_space(rows, scale_with(1, options));
    return mixed_kde_oracle(rows, columns, scale_with(1, options),
                            choose_smoothing(scaled, columns, options.bandwidth, options.seed));
  }
  if (name == "kde")
    return kde_oracle(rows, options.bandwidth, options.scale,
                      options.paper ? 1 : static_cast<double>(rows.cols));
  if (name == "gmm" || name == "gmm_full")
    return gmm_oracle(fit_mixture(rows, name == "gmm_full", options).mixture, options.scale);
  if (name == "mixture") return products_oracle(fit_products(rows, options).products, options.scale);
  // Another level: 1/2 in squared distance, over the two columns that change.
  if (name == "knn") return knn_oracle(rows.cols, options.plain_gravity, scale_with(0.5, options));
  throw std::logic_error("a density without an oracle: " + std::string(name));
}

// Calls check(density, oracle) for each row of the catalogue that takes such data, in each variant.
template <class Check>
void for_each_density(const Mixed& data, const Check& check) {
  for (const DensityRow& row : rows_for(data)) {
    for (const Variant& variant : variants(data)) {
      const FittedDensity fitted = row.fit(data.rows, variant.options);
      SCOPED_TRACE(std::string(row.name) + " " + variant.name);
      check(*fitted.density, oracle_of(row.name, data.rows, variant.options));
    }
  }
}

}  // namespace scfe::test
