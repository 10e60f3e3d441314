// Selection rules, held-out values, quantiles and errors.
#include "plausibility/fit.h"

#include <gtest/gtest.h>

#include "plausibility/kde/bandwidth.h"
#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/em.h"
#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"
#include "tests/plausibility/oracle.h"
#include "tests/plausibility/samples.h"

namespace scfe {
namespace {

double naive_leave_one_out(const Matrix& rows, double h, double dimensions) {
  double total = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    Matrix rest(0, rows.cols);
    for (std::size_t k = 0; k < rows.rows; ++k) {
      if (k == i) continue;
      rest.values.insert(rest.values.end(), rows[k].begin(), rows[k].end());
      ++rest.rows;
    }
    total += test::kde_oracle(rest, h, {}, dimensions)(rows[i], {});
  }
  return total;
}

TEST(Bandwidth, maximises_the_leave_one_out_likelihood) {
  const Matrix rows = test::clusters(40, 4, 3);
  for (const bool paper : {false, true}) {
    const double dimensions = paper ? 1 : 4, h = choose_bandwidth(rows, paper, 0);
    const double best = naive_leave_one_out(rows, h, dimensions);
    for (double other = 0.02; other < 2; other *= 1.1)
      EXPECT_GE(best, naive_leave_one_out(rows, other, dimensions) - 1e-4) << other;
  }
}

TEST(Bandwidth, copies_and_constant_features_do_not_move_it) {
  const Matrix rows = test::clusters(40, 4, 3);
  Matrix doubled(80, 4), wider(40, 5);
  for (std::size_t i = 0; i < 80; ++i) std::ranges::copy(rows[i % 40], doubled[i].begin());
  for (std::size_t i = 0; i < 40; ++i) std::ranges::copy(rows[i], wider[i].begin());
  const double h = choose_bandwidth(rows, false, 0);
  EXPECT_NEAR(choose_bandwidth(doubled, false, 0), h, 1e-3 * h);
  EXPECT_NEAR(choose_bandwidth(wider, false, 0), h, 1e-3 * h);
}

TEST(KdeFit, held_out_values_leave_the_row_out) {
  const Matrix rows = test::clusters(30, 3, 3);
  DensityOptions options;
  options.bandwidth = 0.1;
  double total = 0;
  for (const double value : fit_kde(rows, options).held_out) total += value;
  EXPECT_NEAR(total, naive_leave_one_out(rows, 0.1, 3), 1e-9);
}

TEST(MixtureFit, finds_the_number_of_well_separated_clusters) {
  Random random(5);
  Matrix rows(150, 4);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < 4; ++j) rows[i][j] = (j == i % 3 ? 0.8 : 0.2) + 0.03 * test::normal(random);
  for (const bool full : {false, true})
    EXPECT_EQ(fit_mixture(rows, full, {}).mixture.components(), 3U) << full;
}

TEST(MixtureFit, the_floor_keeps_few_rows_from_a_component_each) {
  const Matrix rows = test::clusters(12, 8, 5);
  DensityOptions bare;
  bare.spread_floor = 1e-3;
  EXPECT_LE(fit_mixture(rows, false, {}).mixture.components(), 3U);
  EXPECT_GT(fit_mixture(rows, false, bare).mixture.components(), 4U);
}

TEST(MixtureFit, spreads_keep_above_their_floor) {
  DensityOptions options;
  options.spread_floor = 0.5;
  const Matrix rows = test::clusters(80, 4, 5);
  const std::vector<double> spreads = column_spreads(rows);
  const GaussianMixture mixture = fit_mixture(rows, false, options).mixture;
  for (std::size_t k = 0; k < mixture.components(); ++k)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_GE(std::sqrt(mixture.covariances[k][j]), 0.5 * spreads[j] * (1 - 1e-12));
}

TEST(Em, likelihood_is_that_of_the_mixture_and_no_start_is_worse_than_one) {
  const Matrix rows = test::clusters(80, 4, 9);
  for (const bool full : {false, true}) {
    EmOptions options;
    options.full = full;
    options.least_variance.assign(4, 1e-5);
    const EmFit five = fit_em(rows, 3, options);
    const test::Oracle oracle = test::gmm_oracle(five.mixture, {});
    double total = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) total += oracle(rows[i], {});
    EXPECT_NEAR(total, five.log_likelihood, 1e-6 * std::abs(total));
    options.starts = 1;
    EXPECT_GE(five.log_likelihood, fit_em(rows, 3, options).log_likelihood - 1e-2);
  }
}

TEST(Gravity, point_is_the_one_found_by_sorting_everything) {
  const Matrix rows = test::clusters(40, 4, 3);
  const Matrix factuals = test::spread_points(rows, 20, 0.3, 5);
  for (const bool itself : {false, true}) {
    const Gravity gravity(rows, {4, false, itself}, {});
    for (std::size_t i = 0; i < factuals.rows; ++i) {
      const std::vector<double> expected = test::naive_gravity(rows, factuals[i], 4, itself);
      const std::vector<double> found = gravity.gravity(factuals[i]);
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(found[j], expected[j], 1e-12);
    }
  }
}

TEST(Gravity, at_the_point_itself_the_plain_form_is_flat_and_finite) {
  const Matrix rows = test::clusters(40, 4, 3);
  DensityOptions options;
  options.plain_gravity = true;
  const FittedDensity fitted = fit_knn(rows, options);
  const Matrix factual = test::spread_points(rows, 1, 0.3, 5);
  const Matrix anchor = test::anchors_of(*fitted.density, factual);
  const test::Evaluated found = test::evaluate(*fitted.density, anchor, anchor);
  EXPECT_EQ(found.value[0], 0);
  for (const double g : found.gradient.values) EXPECT_EQ(g, 0);
}

TEST(Quantile, floor_and_share_agree) {
  const FittedDensity fitted{nullptr, {-4, -2, -1, 0}, ""};
  EXPECT_EQ(floor_at(fitted, 0), -4);
  EXPECT_EQ(floor_at(fitted, 1), 0);
  EXPECT_DOUBLE_EQ(floor_at(fitted, 0.5), -1.5);
  EXPECT_DOUBLE_EQ(floor_at(fitted, 0.1), -3.4);
  EXPECT_EQ(quantile_of(fitted, -5), 0);
  EXPECT_EQ(quantile_of(fitted, -2), 0.5);
  EXPECT_EQ(quantile_of(fitted, 3), 1);
  EXPECT_THROW(floor_at(fitted, 1.5), Error);
  EXPECT_THROW(floor_at(fitted, NAN), Error);
}

// A floor is calibrated: about a share rho of new rows of the class falls below it.
TEST(Quantile, new_rows_of_the_class_fall_below_the_floor_as_often_as_it_says) {
  const Matrix rows = test::clusters(300, 4, 3), fresh = test::rounded(test::clusters(600, 4, 77));
  for (const DensityKind name :
       {DensityKind::kde, DensityKind::gmm, DensityKind::gmm_full, DensityKind::mixture, DensityKind::knn}) {
    const FittedDensity fitted = fit_density(name, rows, {});
    const test::Evaluated found =
        test::evaluate(*fitted.density, fresh, test::anchors_of(*fitted.density, fresh));
    const double floor = floor_at(fitted, 0.25);
    const auto below = std::ranges::count_if(found.value, [&](double v) { return v < floor; });
    EXPECT_NEAR(static_cast<double>(below) / 600, 0.25, 0.06) << name_of(name);
  }
}

TEST(DensityErrors, name_the_field_what_was_expected_and_what_came) {
  const Matrix rows = test::clusters(13, 3, 3);
  DensityOptions options;
  options.neighbours = 20;
  EXPECT_EQ(test::error_of(DensityKind::knn, rows, options),
            "neighbours: expected at most 12 (rows of the class less one), got 20");
  options.neighbours = 0;
  EXPECT_EQ(test::error_of(DensityKind::knn, rows, options), "neighbours: expected at least 1, got 0");
  options.bandwidth = -1;
  EXPECT_EQ(test::error_of(DensityKind::kde, rows, options),
            "bandwidth: expected a number above 0 (or 0 to have it chosen), got -1.000000");
  options.max_components = 0;
  EXPECT_EQ(test::error_of(DensityKind::gmm, rows, options), "max_components: expected at least 1, got 0");
  options.scale = {1, 2};
  Matrix broken = rows;
  broken[4][1] = NAN;
  for (const DensityRow& row : density_catalogue()) {
    EXPECT_EQ(test::error_of(row.kind, rows, options), "scale: expected 3 features, got 2");
    EXPECT_EQ(test::error_of(row.kind, Matrix(0, 3), {}),
              "rows: expected at least one row of the class, got none");
    EXPECT_EQ(test::error_of(row.kind, broken, {}), "rows[4][1]: expected a finite number, got nan");
  }
  EXPECT_EQ(test::error_of(DensityKind::automatic, rows, {}),
            "density: expected one of none, kde, gmm, gmm_full, mixture, knn, own, got 'auto'");
}

}  // namespace
}  // namespace scfe
