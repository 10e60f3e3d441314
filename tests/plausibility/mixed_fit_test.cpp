// Parameter choices for rows with categories, the meaning of each kernel, and errors.
#include <gtest/gtest.h>

#include "plausibility/knn/knn.h"
#include "plausibility/mixture/mixture_fit.h"
#include "plausibility/mixture/product_mixture.h"
#include "plausibility/mixture/products_em.h"
#include "plausibility/mixture/smoothing.h"
#include "scfe/error.h"
#include "tests/plausibility/mixed.h"
#include "tests/plausibility/oracle.h"

namespace scfe {
namespace {

using test::Mixed;

DensityOptions options_for(const Mixed& data) {
  DensityOptions options;
  options.group = data.group;
  return options;
}

ProductsEmOptions em_options_for(const Mixed& data) {
  const Columns columns(data.group, data.rows.cols);
  return {columns, std::vector<double>(columns.numeric.size(), 1e-4), 6, 0};
}

TEST(ProductsFit, held_out_likelihood_finds_the_kinds_of_rows) {
  const Mixed kinds = test::mixed_clusters(900, 4);
  const Products found = fit_products(kinds.rows, options_for(kinds)).products;
  ASSERT_EQ(found.components(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const double kind = (found.means[k][0] - 0.25) / 0.2;
    EXPECT_NEAR(kind, std::round(kind), 0.1);
    const auto likely = static_cast<std::size_t>(std::lround(kind)) % 3;
    EXPECT_NEAR(std::exp(found.log_levels[k][1 + likely]), 0.8, 0.08);
    EXPECT_NEAR(found.weights[k], 1.0 / 3, 0.06);
  }
}

TEST(ProductsFit, columns_that_do_not_hang_together_take_one_component) {
  Mixed data = test::mixed_clusters(600, 4);
  Random random(3);
  for (const std::vector<int>& columns : {std::vector{0}, {1, 2, 3}, {4}, {5, 6}, {7, 8, 9, 10}, {11}}) {
    const std::vector<std::size_t> order = random.permutation(data.rows.rows);
    const Matrix before = data.rows;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const int j : columns)
        data.rows[i][j] = j == 0 || j == 4 ? test::normal(random) : before[order[i]][j];
  }
  EXPECT_EQ(fit_products(data.rows, options_for(data)).products.components(), 1U);
}

TEST(ProductsFit, levels_are_probabilities_and_spreads_keep_above_their_floor) {
  const Mixed data = test::mixed_clusters(200, 5);
  DensityOptions options = options_for(data);
  options.spread_floor = 0.5;
  const Products found = fit_products(data.rows, options).products;
  const std::vector<double> spreads = column_spreads(data.rows);
  const Columns columns(data.group, data.rows.cols);
  for (std::size_t k = 0; k < found.components(); ++k) {
    for (const int j : columns.numeric)
      EXPECT_GE(std::sqrt(found.variances[k][j]), 0.5 * spreads[j] * (1 - 1e-12));
    for (const std::vector<int>& group : columns.groups) {
      double sum = 0;
      for (const int c : group) sum += std::exp(found.log_levels[k][c]);
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(ProductsEm, likelihood_is_that_of_the_mixture_and_no_start_is_worse_than_one) {
  const Mixed data = test::mixed_clusters(150, 9);
  const ProductsEmOptions options = em_options_for(data);
  const MixedRows rows(data.rows, options.columns);
  ProductsEm em = ProductsEm::fit(rows, 4, options);
  const test::Oracle oracle = test::products_oracle(em.products(), {});
  double total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) total += oracle(data.rows[i], {});
  EXPECT_NEAR(total, em.log_likelihood(), 1e-9 * std::abs(total));
  ProductsEmOptions once = options;
  once.starts = 1;
  EXPECT_GE(em.log_likelihood(), ProductsEm::fit(rows, 4, once).log_likelihood() - 1e-2);
}

// With one component: (n_c + 5 p_c) / (n + 5), p_c = (n_c + 1) / (n + levels).
TEST(ProductsEm, levels_of_one_component_are_the_smoothed_shares) {
  const Mixed data = test::mixed_clusters(50, 9);
  const ProductsEmOptions options = em_options_for(data);
  const Products found = ProductsEm::fit(MixedRows(data.rows, options.columns), 1, options).products();
  for (const std::vector<int>& group : options.columns.groups) {
    for (const int c : group) {
      double count = 0;
      for (std::size_t i = 0; i < 50; ++i) count += data.rows[i][c];
      const double overall = (count + 1) / (50 + static_cast<double>(group.size()));
      EXPECT_NEAR(std::exp(found.log_levels[0][c]), (count + 5 * overall) / 55, 1e-12);
    }
  }
}

// Rows without numbers: sums over all 2 x 4 combinations of levels.
TEST(MixedDensity, over_all_levels_the_probabilities_add_to_one) {
  const auto cases = test::awkward_mixed_classes();
  const test::Case& item = *std::ranges::find(cases, "categories alone", &test::Case::name);
  Matrix points(8, 6);
  for (std::size_t i = 0; i < 8; ++i) points[i][i % 2] = points[i][2 + i / 2] = 1;
  for (const DensityKind name : {DensityKind::mixture, DensityKind::kde}) {
    const FittedDensity fitted = fit_density(name, item.rows, options_for({item.rows, item.group}));
    double sum = 0;
    for (const double value : test::evaluate(*fitted.density, points, Matrix(8, 6)).value)
      sum += std::exp(value);
    EXPECT_NEAR(sum, 1, 1e-5) << name_of(name);
  }
}

TEST(Smoothing, maximises_the_leave_one_out_likelihood) {
  const Mixed data = test::mixed_clusters(60, 3);
  const Columns columns(data.group, data.rows.cols);
  const std::vector<double> scale(data.rows.cols, 1.0);
  const auto left_out = [&](Smoothing by) {
    double total = 0;
    for (std::size_t i = 0; i < data.rows.rows; ++i) {
      std::vector<std::size_t> others;
      for (std::size_t j = 0; j < data.rows.rows; ++j)
        if (j != i) others.push_back(j);
      total +=
          test::mixed_kde_oracle(test::some_rows(data.rows, others), columns, scale, by)(data.rows[i], {});
    }
    return total;
  };
  const Smoothing chosen = choose_smoothing(MixedRows(data.rows, columns), columns, 0, 0);
  const double best = left_out(chosen);
  for (const double h : {0.3, 0.6, 0.8, 0.95, 1.0, 1.05, 1.3, 2.0})
    for (const double m : {0.3, 0.6, 0.8, 0.95, 1.0, 1.05, 1.3, 2.0})
      EXPECT_GE(best, left_out({chosen.bandwidth * h, std::min(1.0, chosen.other_level * m)}) - 1e-2);
  EXPECT_EQ(choose_smoothing(MixedRows(data.rows, columns), columns, 0.2, 0).bandwidth, 0.2);
}

TEST(MixedGravity, another_level_is_half_a_squared_range_away) {
  const Mixed data = test::mixed_clusters(40, 3);
  const FittedDensity fitted = fit_density(DensityKind::knn, data.rows, options_for(data));
  Matrix points(3, data.rows.cols), anchors(3, data.rows.cols);
  for (std::size_t i = 0; i < 3; ++i) {
    std::ranges::copy(data.rows[0], points[i].begin());
    std::ranges::copy(data.rows[0], anchors[i].begin());
  }
  std::ranges::rotate(points[1].subspan(1, 3), points[1].begin() + 2);
  points[2][0] += 1;
  const test::Evaluated found =
      test::evaluate(*fitted.density, test::rounded(points), test::rounded(anchors));
  EXPECT_EQ(found.value[0], 0);
  EXPECT_NEAR(found.value[1], -0.5, 1e-6);
  EXPECT_NEAR(found.value[2], -1, 1e-6);
}

TEST(MixedErrors, name_the_group_the_row_and_the_densities_that_take_categories) {
  Mixed data = test::mixed_clusters(30, 3);
  DensityOptions options = options_for(data);
  for (const DensityKind name : {DensityKind::gmm, DensityKind::gmm_full})
    EXPECT_EQ(test::error_of(name, data.rows, options),
              std::string("density: expected mixture, kde, knn or none for data with categories, got ") +
                  std::string(name_of(name)));
  options.paper = true;
  EXPECT_EQ(test::error_of(DensityKind::kde, data.rows, options),
            "paper: expected false for data with categories, got true");
  options = options_for(data);
  options.group.pop_back();
  EXPECT_EQ(test::error_of(DensityKind::mixture, data.rows, options), "group: expected 12 columns, got 11");
  std::ranges::fill(data.rows[4].subspan(1, 3), 1.0);
  EXPECT_EQ(test::error_of(DensityKind::kde, data.rows, options_for(data)),
            "rows[4], group 7: expected one level at 1 and the others at 0, got 3 at 1");
  std::ranges::fill(data.rows[4].subspan(1, 3), 1.0 / 3);
  EXPECT_EQ(test::error_of(DensityKind::knn, data.rows, options_for(data)),
            "rows[4], group 7: expected one level at 1 and the others at 0, got 0 at 1");
}

}  // namespace
}  // namespace scfe
