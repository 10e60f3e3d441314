// Classes too large for exact sums: their stated errors must hold, and lanes stay independent.
#include <gtest/gtest.h>

#include <cstring>

#include "plausibility/index/near_index.h"
#include "plausibility/kde/tree_kde.h"
#include "tests/plausibility/mixed.h"
#include "tests/plausibility/oracle.h"

namespace scfe {
namespace {

using test::Mixed;

constexpr std::size_t many = 12000;

// The exact sum with the bandwidths of a fitted KDE, up to a constant.
double log_sum(const Matrix& rows, const Density& density, std::span<const double> x) {
  std::vector<int> all(rows.cols);
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
  std::vector<double> kappa(rows.cols), e(rows.rows);
  density.curvature({}, all, kappa);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) e[i] -= 0.5 * kappa[j] * std::pow(x[j] - rows[i][j], 2);
  const double peak = *std::ranges::max_element(e);
  double sum = 0;
  for (const double exponent : e) sum += std::exp(exponent - peak);
  return peak + std::log(sum);
}

std::vector<Mixed> large_classes() {
  return {
      {test::clusters(many, 8, 3), {}}, {test::clusters(20000, 20, 3), {}}, test::mixed_clusters(many, 4)};
}

TEST(ManyRows, kde_is_the_plain_sum_within_the_stated_error) {
  for (const Mixed& data : large_classes()) {
    DensityOptions options;
    options.group = data.group;
    const FittedDensity fitted = fit_density(DensityKind::kde, data.rows, options);
    ASSERT_NE(dynamic_cast<const TreeKde*>(fitted.density.get()), nullptr);
    EXPECT_NE(fitted.summary.find("mean error 0.0"), std::string::npos) << fitted.summary;
    const Matrix points = test::rounded(data.group.empty() ? test::clusters(200, data.rows.cols, 77)
                                                           : test::mixed_clusters(200, 77).rows);
    const test::Evaluated found = test::evaluate(*fitted.density, points, points);
    std::vector<double> differences;
    for (std::size_t i = 0; i < points.rows; ++i)
      differences.push_back(found.value[i] - log_sum(data.rows, *fitted.density, points[i]));
    // The exact sum leaves out the normaliser, which is the same for all points.
    std::vector<double> sorted = differences;
    std::ranges::sort(sorted);
    double error = 0;
    for (const double d : differences) error += std::abs(d - sorted[sorted.size() / 2]) / 200;
    EXPECT_LE(error, 0.02) << fitted.summary;
  }
}

TEST(ManyRows, levelling_is_the_line_through_what_is_off) {
  std::vector<double> log_sums, truth;
  for (int i = 0; i <= 100; ++i) {
    log_sums.push_back(-10 + 0.1 * i);
    truth.push_back(log_sums.back() + 0.03 + 0.005 * log_sums.back());
  }
  truth[50] += 0.001;  // in the middle: shifts the line but does not rotate it
  const Levelling levelling = level(log_sums, truth);
  EXPECT_NEAR(levelling.slope, 0.005, 2e-5);
  EXPECT_NEAR(levelling(-5.0F), -5 + 0.03 - 0.025, 1e-4);
  EXPECT_EQ(levelling.derivative(-5.0F), 1 + levelling.slope);
  // Outside the measured range the correction is constant.
  EXPECT_NEAR(levelling(-1000.0F) + 1000, levelling(-20.0F) + 20, 1e-4);
  EXPECT_EQ(levelling.derivative(-1000.0F), 1);
}

TEST(ManyRows, kde_gradient_is_that_of_its_value) {
  const Matrix rows = test::clusters(many, 6, 3), points = test::spread_points(rows, 30, 0.05, 9);
  const FittedDensity fitted = fit_density(DensityKind::kde, rows, {});
  const test::Evaluated found = test::evaluate(*fitted.density, points, points);
  std::size_t close = 0, all = 0;
  for (std::size_t i = 0; i < points.rows; ++i) {
    for (std::size_t j = 0; j < points.cols; ++j) {
      Matrix pair(2, points.cols);
      for (std::size_t k = 0; k < 2; ++k) std::ranges::copy(points[i], pair[k].begin());
      const double h = 2e-3;
      pair[0][j] -= h;
      pair[1][j] += h;
      const test::Evaluated at = test::evaluate(*fitted.density, pair, pair);
      double size = 0;
      for (const double g : found.gradient[i]) size = std::max(size, std::abs(g));
      const double slope = (at.value[1] - at.value[0]) / (2 * h);
      close += std::abs(slope - found.gradient[i][j]) <= 0.03 * size + 0.05 ? 1 : 0;
      ++all;
    }
  }
  // If a cell opens between the two points, its small jump distorts the difference quotient.
  EXPECT_GE(close, all * 9 / 10);
}

TEST(ManyRows, a_lane_has_the_same_bits_alone_and_among_others) {
  const Matrix rows = test::clusters(many, 6, 3), points = test::spread_points(rows, 33, 0.2, 9);
  const FittedDensity fitted = fit_density(DensityKind::kde, rows, {});
  const test::Evaluated among = test::evaluate(*fitted.density, points, points);
  for (const std::size_t lane : {0, 15, 16, 32}) {
    Matrix mine(1, points.cols);
    std::ranges::copy(points[lane], mine[0].begin());
    const test::Evaluated alone = test::evaluate(*fitted.density, mine, mine);
    EXPECT_EQ(alone.value[0], among.value[lane]);
    EXPECT_TRUE(std::ranges::equal(alone.gradient[0], among.gradient[lane]));
  }
}

TEST(ManyRows, far_points_and_copies_give_finite_numbers_and_the_way_back) {
  Matrix rows = test::clusters(many, 5, 3);
  for (std::size_t i = 0; i < many / 2; ++i) std::ranges::copy(rows[0], rows[i].begin());
  const FittedDensity fitted = fit_density(DensityKind::kde, rows, {});
  Matrix points(4, 5);
  std::ranges::copy(rows[0], points[0].begin());
  std::ranges::fill(points[1], 1e6);
  std::ranges::fill(points[2], -1e6);
  std::ranges::fill(points[3], 3.0);
  const test::Evaluated found = test::evaluate(*fitted.density, points, points);
  for (const double v : found.value) EXPECT_TRUE(std::isfinite(v));
  for (const double g : found.gradient.values) EXPECT_TRUE(std::isfinite(g));
  for (const double g : found.gradient[1]) EXPECT_LT(g, 0);
  for (const double g : found.gradient[2]) EXPECT_GT(g, 0);
  EXPECT_EQ(quantile_of(fitted, found.value[1]), 0);
}

TEST(ManyRows, held_out_rows_meet_the_floor_as_often_as_it_says) {
  const Matrix rows = test::clusters(many, 6, 3), fresh = test::rounded(test::clusters(1000, 6, 5));
  const FittedDensity fitted = fit_density(DensityKind::kde, rows, {});
  const test::Evaluated found = test::evaluate(*fitted.density, fresh, fresh);
  const double floor = floor_at(fitted, 0.1);
  const auto below = std::ranges::count_if(found.value, [&](double v) { return v < floor; });
  EXPECT_NEAR(static_cast<double>(below) / 1000, 0.1, 0.05);
}

TEST(ManyRows, bytes_give_the_same_bits_back) {
  const Matrix rows = test::clusters(most_scanned_rows + 1000, 5, 3),
               points = test::spread_points(rows, 20, 0.1, 9);
  for (const DensityKind name : {DensityKind::kde, DensityKind::knn}) {
    const FittedDensity fitted = fit_density(name, rows, {});
    ByteWriter out;
    save_density(name, fitted, out);
    ByteReader in(out.bytes(), "bytes");
    const FittedDensity loaded = load_density(name, rows.cols, in);
    in.require_end();
    const Matrix anchors = test::anchors_of(*fitted.density, points);
    EXPECT_EQ(test::anchors_of(*loaded.density, points).values, anchors.values) << name_of(name);
    const test::Evaluated one = test::evaluate(*fitted.density, points, anchors),
                          two = test::evaluate(*loaded.density, points, anchors);
    EXPECT_EQ(one.value, two.value) << name_of(name);
    EXPECT_EQ(one.gradient.values, two.gradient.values) << name_of(name);
    EXPECT_LT(out.bytes().size(), rows.values.size() * 6) << name_of(name);
    for (std::size_t cut : {out.bytes().size() / 3, out.bytes().size() - 9}) {
      ByteReader part(std::string_view(out.bytes()).substr(0, cut), "bytes");
      EXPECT_THROW(load_density(name, rows.cols, part), Error) << name_of(name);
    }
  }
}

TEST(ManyRows, near_index_finds_the_neighbours_of_brute_force) {
  const Matrix rows = test::clusters(most_scanned_rows + 1, 6, 3),
               points = test::spread_points(rows, 60, 0.03, 9);
  for (const Metric metric : {Metric::l2, Metric::l1}) {
    const NearIndex index(rows, 10, metric, 1);
    EXPECT_LT(index.error(), 0.02);
    std::size_t same = 0;
    double error = 0;
    for (std::size_t i = 0; i < points.rows; ++i) {
      const auto found = index.nearest(points[i], 10);
      const auto truth = nearest(rows, points[i], 10, no_row, metric);
      ASSERT_EQ(found.size(), truth.size());
      EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Neighbour::distance));
      for (std::size_t k = 0; k < truth.size(); ++k) {
        same += std::ranges::count(truth, found[k].row, &Neighbour::row) > 0 ? 1 : 0;
        error += std::abs(std::log(found[k].distance / truth[k].distance)) / (60.0 * 10);
      }
    }
    EXPECT_GE(same, points.rows * 10 * 9 / 10);
    EXPECT_LE(error, 0.02);
  }
}

// Cases that the four-bit filter must not lose: copies, few levels, small differences in many features.
TEST(ManyRows, near_index_tells_copies_levels_and_many_features_apart) {
  constexpr std::size_t count = 10, rows = most_scanned_rows + 1;
  Matrix copies = test::clusters(rows, 5, 3), levels = test::clusters(rows, 5, 4);
  for (std::size_t i = 0; i < rows / 2; ++i) std::ranges::copy(copies[i % 100], copies[i].begin());
  for (double& value : levels.values) value = std::round(8 * value) / 8;
  for (const Matrix& data : {copies, levels, test::clusters(rows, 100, 5)}) {
    for (const Metric metric : {Metric::l2, Metric::l1}) {
      const NearIndex index(data, count, metric, 1);
      EXPECT_LE(index.error(), 0.01) << data.cols;
      double found = 0, truth = 0;
      for (std::size_t i = 0; i < rows; i += 400) {
        for (const Neighbour& n : index.nearest(data[i], count, i)) {
          EXPECT_NE(n.row, i);
          found += n.distance;
        }
        for (const Neighbour& n : nearest(data, data[i], count, i, metric)) truth += n.distance;
      }
      EXPECT_NEAR(found, truth, 0.01 * truth) << data.cols;
    }
  }
}

TEST(ManyRows, mini_batches_are_as_likely_as_the_rounds_over_all_rows) {
  const Matrix rows = test::clusters(30000, 5, 3), fresh = test::rounded(test::clusters(2000, 5, 5));
  Matrix part(15000, 5);
  std::copy_n(rows.values.begin(), part.values.size(), part.values.begin());
  for (const DensityKind name : {DensityKind::gmm, DensityKind::gmm_full}) {
    DensityOptions options;
    options.max_components = 2;
    double means[2] = {};
    int place = 0;
    for (const Matrix* training : {static_cast<const Matrix*>(&rows), static_cast<const Matrix*>(&part)}) {
      const FittedDensity fitted = fit_density(name, *training, options);
      for (const double v : test::evaluate(*fitted.density, fresh, fresh).value) means[place] += v / 2000;
      ++place;
    }
    EXPECT_NEAR(means[0], means[1], 0.02) << name_of(name);
  }
}

}  // namespace
}  // namespace scfe
