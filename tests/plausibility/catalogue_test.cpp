// Properties of every density: value and gradient match the oracles, curvature is a bound, lanes are
// independent, and results are finite even for unusual classes.
#include "plausibility/catalogue.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scfe/error.h"
#include "tests/plausibility/each_density.h"

namespace scfe {
namespace {

using test::for_each_density;
using test::Mixed;
using AllExpected = std::vector<test::Expected>;

// Numbers alone, and numbers with categories.
std::vector<Mixed> kinds_of_rows(std::size_t rows, std::uint64_t seed) {
  return {{test::clusters(rows, 5, seed), {}}, test::mixed_clusters(rows, seed)};
}

TEST(DensityCatalogue, value_and_gradient_are_those_of_the_oracles) {
  for (const Mixed& data : kinds_of_rows(60, 3)) {
    const Matrix& rows = data.rows;
    const Matrix points = test::spread_points(rows, 40, 0.1, 7);
    for_each_density(data, [&](const Density& density, const AllExpected& all) {
      const Matrix anchors = test::anchors_of(density, points);
      const test::Evaluated found = test::evaluate(density, points, anchors);
      for (const auto& [log_density, h, tolerance] : all) {
        for (std::size_t i = 0; i < points.rows; ++i) {
          std::vector<double> x(points[i].begin(), points[i].end());
          const double value = log_density(x, anchors[i]);
          EXPECT_NEAR(found.value[i], value, 1e-5 * std::max(1.0, std::abs(value)));
          double error = 0, size = 0;
          for (std::size_t j = 0; j < x.size(); ++j) {
            const double at = x[j];
            x[j] = at + h;
            const double above = log_density(x, anchors[i]);
            x[j] = at - h;
            const double slope = (above - log_density(x, anchors[i])) / (2 * h);
            x[j] = at;
            error = std::max(error, std::abs(found.gradient[i][j] - slope));
            size = std::max(size, std::abs(slope));
          }
          EXPECT_LE(error, tolerance * size) << "point " << i << ", step " << h;
        }
      }
    });
  }
}

TEST(DensityCatalogue, curvature_bounds_the_density_from_below) {
  for (const Mixed& data : kinds_of_rows(60, 4)) {
    const Matrix& rows = data.rows;
    const Matrix points = test::spread_points(rows, 20, 0.08, 8);
    for_each_density(data, [&](const Density& density, const AllExpected& all) {
      if (!density.has_curvature_bound()) return;
      const Matrix anchors = test::anchors_of(density, points);
      const test::Evaluated found = test::evaluate(density, points, anchors);
      Random random(11);
      for (int trial = 0; trial < 2000; ++trial) {
        const std::size_t i = random.index(points.rows), d = points.cols;
        std::vector<std::size_t> order = random.permutation(d);
        std::vector<int> support(order.begin(),
                                 order.begin() + static_cast<std::ptrdiff_t>(1 + random.index(d)));
        std::vector<double> kappa(support.size()), moved(points[i].begin(), points[i].end());
        const std::vector<float> weights(found.weights[i].begin(), found.weights[i].end());
        density.curvature(weights, support, kappa);
        const double reach = std::pow(10.0, -3 + 3 * random.uniform());
        double change = 0;
        for (std::size_t s = 0; s < support.size(); ++s) {
          const double step = reach * test::normal(random) / 4;
          change += found.gradient[i][support[s]] * step - 0.5 * kappa[s] * step * step;
          moved[support[s]] += step;
        }
        for (const test::Expected& expected : all) {
          const double value = expected.log_density(points[i], anchors[i]), bound = value + change;
          ASSERT_GE(expected.log_density(moved, anchors[i]),
                    bound - 2e-5 * (1 + std::abs(value) + std::abs(bound)));
        }
      }
    });
  }
}

std::vector<float> lane_bits(const Density& density, const Matrix& points, const Matrix& anchors,
                             std::size_t lane) {
  const test::Evaluated found = test::evaluate(density, points, anchors);
  std::vector<float> bits{static_cast<float>(found.value[lane])};
  for (const double g : found.gradient[lane]) bits.push_back(static_cast<float>(g));
  for (const double w : found.weights[lane]) bits.push_back(static_cast<float>(w));
  return bits;
}

TEST(DensityCatalogue, a_lane_has_the_same_bits_alone_and_among_others) {
  for (const Mixed& data : kinds_of_rows(50, 5)) {
    const Matrix& rows = data.rows;
    const Matrix mine = test::spread_points(rows, 1, 0.1, 9);
    for_each_density(data, [&](const Density& density, const AllExpected&) {
      const Matrix my_anchor = test::anchors_of(density, mine);
      const std::vector<float> alone = lane_bits(density, mine, my_anchor, 0);
      for (const std::size_t width : {2, 16, 17, 40, 96}) {
        for (const std::size_t lane : {std::size_t{0}, width / 2, width - 1}) {
          Matrix points = test::spread_points(rows, width, 1e3, 10 + width);
          Matrix anchors = test::anchors_of(density, points);
          std::ranges::copy(mine[0], points[lane].begin());
          std::ranges::copy(my_anchor[0], anchors[lane].begin());
          const std::vector<float> among = lane_bits(density, points, anchors, lane);
          ASSERT_EQ(std::memcmp(alone.data(), among.data(), alone.size() * sizeof(float)), 0)
              << "lane " << lane << " of " << width;
        }
      }
    });
  }
}

TEST(DensityCatalogue, value_alone_is_the_value_with_gradient) {
  for (const Mixed& data : kinds_of_rows(50, 5)) {
    const Matrix& rows = data.rows;
    const Matrix points = test::spread_points(rows, 20, 0.1, 9);
    for_each_density(data, [&](const Density& density, const AllExpected&) {
      const Matrix anchors = test::anchors_of(density, points);
      const test::Evaluated both = test::evaluate(density, points, anchors);
      Block x(rows.cols, 20), to(rows.cols, 20);
      for (std::size_t j = 0; j < rows.cols; ++j)
        for (std::size_t l = 0; l < 20; ++l)
          x[j][l] = static_cast<float>(points[l][j]), to[j][l] = static_cast<float>(anchors[l][j]);
      std::vector<float> value(padded(20)), scratch(density.scratch(20));
      density.evaluate(x, to, value.data(), nullptr, nullptr, scratch.data());
      for (std::size_t l = 0; l < 20; ++l) EXPECT_EQ(value[l], both.value[l]);
    });
  }
}

TEST(DensityCatalogue, bytes_give_the_same_bits_back) {
  for (const Mixed& data : kinds_of_rows(50, 5)) {
    const Matrix points = test::spread_points(data.rows, 20, 0.1, 9);
    for (const DensityRow& row : test::rows_for(data)) {
      DensityOptions options;
      options.group = data.group;
      const FittedDensity fitted = row.fit(data.rows, test::given_to(row, options, data.rows.cols));
      ByteWriter out;
      save_density(row.kind, fitted, out);
      ByteReader in(out.bytes(), "bytes");
      const FittedDensity loaded = load_density(row.kind, data.rows.cols, in);
      in.require_end();
      EXPECT_EQ(loaded.held_out, fitted.held_out) << row.name;
      EXPECT_EQ(loaded.summary, fitted.summary);
      const Matrix anchors = test::anchors_of(*fitted.density, points);
      EXPECT_EQ(test::anchors_of(*loaded.density, points).values, anchors.values) << row.name;
      const test::Evaluated one = test::evaluate(*fitted.density, points, anchors),
                            two = test::evaluate(*loaded.density, points, anchors);
      EXPECT_EQ(one.value, two.value) << row.name;
      EXPECT_EQ(one.gradient.values, two.gradient.values) << row.name;
      EXPECT_EQ(one.weights.values, two.weights.values) << row.name;
    }
  }
}

TEST(DensityCatalogue, awkward_classes_give_finite_numbers_even_far_away) {
  std::vector<test::Case> classes = test::awkward_classes();
  std::ranges::move(test::awkward_mixed_classes(), std::back_inserter(classes));
  for (const test::Case& item : classes) {
    for (const DensityRow& row : test::rows_for({item.rows, item.group})) {
      SCOPED_TRACE(item.name + ", " + std::string(row.name));
      DensityOptions options;
      options.group = item.group;
      options.neighbours = static_cast<int>(std::min<std::size_t>(5, item.rows.rows - 1));
      if (row.kind == DensityKind::knn && item.rows.rows == 1) {
        EXPECT_THROW(row.fit(item.rows, options), Error);
        continue;
      }
      const FittedDensity fitted = row.fit(item.rows, test::given_to(row, options, item.rows.cols));
      Matrix points = test::spread_points(item.rows, 6, 0.05, 3);
      std::ranges::copy(item.rows[0], points[0].begin());
      std::ranges::fill(points[1], 1e6);
      std::ranges::fill(points[2], -1e6);
      const test::Evaluated found =
          test::evaluate(*fitted.density, points, test::anchors_of(*fitted.density, points));
      for (const double v : found.value) EXPECT_TRUE(std::isfinite(v));
      for (const double g : found.gradient.values) EXPECT_TRUE(std::isfinite(g));
      for (const double w : found.weights.values) EXPECT_TRUE(std::isfinite(w));
      ASSERT_FALSE(fitted.held_out.empty());
      EXPECT_TRUE(std::ranges::is_sorted(fitted.held_out));
      for (const double v : fitted.held_out) EXPECT_TRUE(std::isfinite(v));
      // The class's own rows are plausible in its own eyes, and a far point is not.
      EXPECT_GT(quantile_of(fitted, found.value[0]), 0);
      if (row.kind != DensityKind::none) {
        EXPECT_EQ(quantile_of(fitted, found.value[1]), 0);
      }
    }
  }
}

TEST(DensityCatalogue, categories_are_refused_unless_the_row_accepts_them) {
  const Mixed data = test::mixed_clusters(60, 6);
  DensityOptions options;
  options.group = data.group;
  for (const DensityRow& row : density_catalogue())
    if (!row.categories) EXPECT_THROW(row.fit(data.rows, options), Error) << row.name;
}

TEST(DensityCatalogue, the_same_seed_gives_the_same_fit) {
  for (const Mixed& data : kinds_of_rows(60, 6)) {
    DensityOptions options;
    options.group = data.group;
    for (const DensityRow& row : test::rows_for(data)) {
      const DensityOptions own = test::given_to(row, options, data.rows.cols);
      const FittedDensity one = row.fit(data.rows, own), two = row.fit(data.rows, own);
      EXPECT_EQ(one.held_out, two.held_out) << row.name;
      EXPECT_EQ(one.summary, two.summary);
    }
  }
}

TEST(DensityCatalogue, groups_that_name_no_category_change_nothing) {
  const Matrix rows = test::clusters(60, 5, 6), points = test::spread_points(rows, 5, 0.1, 9);
  DensityOptions none;
  none.group.assign(5, -1);
  for (const DensityRow& row : density_catalogue()) {
    const FittedDensity one = row.fit(rows, test::given_to(row, {}, 5)),
                        two = row.fit(rows, test::given_to(row, none, 5));
    EXPECT_EQ(one.held_out, two.held_out) << row.name;
    const Matrix anchors = test::anchors_of(*one.density, points);
    EXPECT_EQ(test::evaluate(*one.density, points, anchors).value,
              test::evaluate(*two.density, points, anchors).value)
        << row.name;
  }
}

TEST(DensityCatalogue, a_feature_of_scale_0_has_no_say) {
  const Matrix rows = test::clusters(60, 4, 6);
  DensityOptions options;
  options.scale = {1, 0, 1, 2};
  for (const DensityRow& row : density_catalogue()) {
    if (row.is_given) {
      EXPECT_THROW(row.fit(rows, test::given_to(row, options, 4)), Error);
      continue;
    }
    const FittedDensity fitted = row.fit(rows, options);
    Matrix points = test::spread_points(rows, 2, 0.05, 3);
    std::ranges::copy(points[0], points[1].begin());
    points[1][1] += 5;
    const test::Evaluated found = test::evaluate(*fitted.density, points, Matrix(2, 4));
    EXPECT_EQ(found.value[0], found.value[1]) << row.name;
    EXPECT_EQ(found.gradient[0][1], 0) << row.name;
  }
}

}  // namespace
}  // namespace scfe
