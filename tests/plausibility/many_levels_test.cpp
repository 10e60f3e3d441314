// Categories of many levels are kept as codes. Densities fitted to codes are those of a column per level, and
// their bytes grow with the rows, not with rows times levels.
#include "plausibility/many_levels.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plausibility/catalogue.h"
#include "plausibility/kde/coded_kde.h"
#include "plausibility/knn/knn.h"
#include "tests/plausibility/mixed.h"
#include "tests/plausibility/oracle.h"

namespace scfe {
namespace {

// Two numbers around a category of 700 levels, and one of 2.
test::Mixed many_levels(std::size_t rows) {
  constexpr int levels = 700;
  test::Mixed data;
  data.group = {-1};
  data.group.insert(data.group.end(), levels, 0);
  data.group.insert(data.group.end(), {-1, 4, 4});
  data.rows = Matrix(rows, data.group.size());
  Random random(8);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t kind = random.index(3);
    data.rows[i][0] = 0.3 * static_cast<double>(kind) + 0.05 * test::normal(random);
    data.rows[i][1 + (random.uniform() < 0.5 ? kind : random.index(levels))] = 1;
    data.rows[i][levels + 1] = 0.5 + 0.1 * test::normal(random);
    data.rows[i][levels + 2 + (random.uniform() < 0.8 ? kind % 2 : random.index(2))] = 1;
  }
  return data;
}

// Rows of the class with other numbers and levels.
Matrix shuffled_cells(const Matrix& rows, std::size_t count) {
  Matrix points(count, rows.cols);
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::copy(rows[i], points[i].begin());
    points[i][0] = rows[rows.rows - 1 - i][0] + 0.02;
    if (i % 2 == 1) std::ranges::copy(rows[i + 7].subspan(1, 700), points[i].begin() + 1);
  }
  return points;
}

TEST(ManyLevels, densities_of_codes_are_those_of_a_column_per_level) {
  const test::Mixed data = many_levels(150);
  const MixedRows rows(data.rows, Columns(data.group, data.rows.cols));
  ASSERT_TRUE(is_coded(rows));
  const Matrix points = shuffled_cells(data.rows, 20);
  int compared = 0;
  for (const DensityKind kind : {DensityKind::kde, DensityKind::knn})
    for (const Metric metric : {Metric::l2, Metric::l1, Metric::linf})
      for (const bool scaled : {false, true}) {
        DensityOptions options;
        options.group = data.group;
        options.gravity_metric = metric;
        if (scaled) options.scale.assign(data.group.size(), 1.7);
        const FittedDensity codes = fit_density(kind, rows, options),
                            columns = fit_density(kind, data.rows, options);
        EXPECT_EQ(codes.summary, columns.summary);
        ASSERT_EQ(codes.held_out.size(), columns.held_out.size());
        for (std::size_t i = 0; i < codes.held_out.size(); ++i)
          EXPECT_NEAR(codes.held_out[i], columns.held_out[i], 1e-9 * (1 + std::abs(columns.held_out[i])));
        const Matrix anchors = test::anchors_of(*columns.density, points),
                     own_anchors = test::anchors_of(*codes.density, points);
        for (std::size_t i = 0; i < anchors.values.size(); ++i)
          EXPECT_NEAR(own_anchors.values[i], anchors.values[i], 1e-6);
        const test::Evaluated found = test::evaluate(*codes.density, points, anchors),
                              truth = test::evaluate(*columns.density, points, anchors);
        for (std::size_t i = 0; i < points.rows; ++i) {
          EXPECT_NEAR(found.value[i], truth.value[i], 1e-4 * (1 + std::abs(truth.value[i])));
          for (std::size_t j = 0; j < points.cols; ++j, ++compared)
            EXPECT_NEAR(found.gradient[i][j], truth.gradient[i][j],
                        2e-3 * (1 + std::abs(truth.gradient[i][j])));
        }
        const std::vector<int> support = {0, 3, 701, 702};
        std::vector<double> kappa(support.size()), expected(support.size());
        codes.density->curvature({}, support, kappa);
        columns.density->curvature({}, support, expected);
        for (std::size_t s = 0; s < support.size(); ++s)
          EXPECT_NEAR(kappa[s], expected[s], 1e-9 * (1 + expected[s]));
      }
  EXPECT_GT(compared, 100'000);
}

TEST(ManyLevels, a_lane_has_the_same_bits_alone_and_among_others) {
  const test::Mixed data = many_levels(60);
  DensityOptions options;
  options.group = data.group;
  const FittedDensity fitted =
      fit_density(DensityKind::kde, MixedRows(data.rows, Columns(data.group, data.rows.cols)), options);
  ASSERT_NE(dynamic_cast<const CodedKde*>(fitted.density.get()), nullptr);
  const Matrix points = shuffled_cells(data.rows, 20);
  const Matrix anchors(points.rows, points.cols);
  const test::Evaluated all = test::evaluate(*fitted.density, points, anchors);
  for (std::size_t i = 0; i < points.rows; ++i) {
    Matrix one(1, points.cols);
    std::ranges::copy(points[i], one[0].begin());
    const test::Evaluated alone = test::evaluate(*fitted.density, one, Matrix(1, points.cols));
    EXPECT_EQ(alone.value[0], all.value[i]);
    EXPECT_TRUE(std::ranges::equal(alone.gradient[0], all.gradient[i]));
  }
}

TEST(ManyLevels, bytes_give_the_same_bits_back_and_are_few) {
  const test::Mixed data = many_levels(150);
  const MixedRows rows(data.rows, Columns(data.group, data.rows.cols));
  const Matrix points = shuffled_cells(data.rows, 20);
  for (const DensityKind kind : {DensityKind::kde, DensityKind::knn}) {
    DensityOptions options;
    options.group = data.group;
    const FittedDensity fitted = fit_density(kind, rows, options);
    ByteWriter out;
    save_density(kind, fitted, out);
    EXPECT_LT(out.bytes().size(), 30'000U);  // a column per level: 420 kB and more
    ByteReader in(out.bytes(), "bytes");
    const FittedDensity loaded = load_density(kind, data.rows.cols, in);
    in.require_end();
    const Matrix anchors = test::anchors_of(*fitted.density, points);
    EXPECT_EQ(test::anchors_of(*loaded.density, points).values, anchors.values);
    const test::Evaluated one = test::evaluate(*fitted.density, points, anchors),
                          two = test::evaluate(*loaded.density, points, anchors);
    EXPECT_EQ(one.value, two.value);
    EXPECT_EQ(one.gradient.values, two.gradient.values);
  }
}

}  // namespace
}  // namespace scfe
