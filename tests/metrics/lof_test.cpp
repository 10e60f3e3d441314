#include <gtest/gtest.h>

#include "scfe/error.h"
#include "scfe/metrics.h"
#include "tests/plausibility/reference.h"
#include "tests/plausibility/samples.h"

namespace scfe {
namespace {

using nlohmann::json;

TEST(Lof, is_scikit_learns_with_clipped_neighbours_and_copies) {
  const json fixture = test::read_json(test::fixture("densities.json"));
  for (const json& item : fixture["lof"]) {
    const Lof lof(test::to_matrix(item["rows"]), item["neighbours"]);
    const Matrix queries = test::to_matrix(item.contains("queries") ? item["queries"] : fixture["queries"]);
    for (std::size_t i = 0; i < queries.rows; ++i) {
      const double expected = item["lof"][i];
      EXPECT_NEAR(lof(queries[i]), expected, 1e-4 * std::max(1.0, expected)) << i;
    }
  }
}

TEST(Lof, is_the_public_implementations) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const test::Reference& reference) {
    for (const int c : {0, 1}) {
      const Lof lof(reference.classes[c]);
      const json& expected = reference.values["lof" + std::to_string(c) + "_k20"];
      for (std::size_t i = 0; i < reference.points.rows; ++i)
        EXPECT_NEAR(lof(reference.points[i]), expected[i].get<double>(), 1e-4) << c << " " << i;
    }
  });
}

TEST(Lof, with_categories_is_scikit_learns_on_gowers_distance) {
  const json fixture = test::read_json(test::fixture("plausibility/mixed_lof.json"));
  const Lof lof(test::to_matrix(fixture["rows"]), fixture["neighbours"], fixture["group"]);
  const Matrix queries = test::to_matrix(fixture["queries"]);
  ASSERT_GE(queries.rows, 30U);
  for (std::size_t i = 0; i < queries.rows; ++i)
    EXPECT_NEAR(lof(queries[i]), fixture["lof"][i].get<double>(), 1e-4) << i;
}

TEST(Lof, is_scikit_learns_in_every_metric_and_for_every_k) {
  const json fixture = test::read_json(test::fixture("plausibility/lof_metrics.json"));
  const Matrix rows = test::to_matrix(fixture["rows"]), queries = test::to_matrix(fixture["queries"]);
  int compared = 0;
  for (const json& item : fixture["cases"]) {
    const auto metric = value_named<Metric>(item["metric"].get<std::string>());
    ASSERT_TRUE(metric);
    const Lof lof(rows, item["neighbours"], {}, *metric);
    for (std::size_t i = 0; i < queries.rows; ++i, ++compared) {
      const double expected = item["lof"][i];
      EXPECT_NEAR(lof(queries[i]), expected, 1e-5 * expected) << item["metric"] << item["neighbours"] << i;
    }
  }
  EXPECT_GE(compared, 100);
  EXPECT_EQ(fixture["cases"].size() % choices_of<Metric>.size(), 0U);
}

TEST(Lof, with_categories_the_metric_is_gowers) {
  const Matrix rows = test::clusters(80, 4, 1);
  const std::vector<int> group = {-1, -1, -1, 0};
  EXPECT_EQ(Lof(rows, 10, group, Metric::linf)(rows[3]), Lof(rows, 10, group)(rows[3]));
}

TEST(Lof, groups_that_name_no_category_change_nothing) {
  const Matrix rows = test::clusters(80, 4, 1);
  EXPECT_EQ(Lof(rows, 10, {-1, -1, -1, -1})(rows[3]), Lof(rows, 10)(rows[3]));
}

TEST(Lof, is_near_one_inside_and_large_outside) {
  const Matrix rows = test::clusters(200, 6, 1);
  const Lof lof(rows);
  EXPECT_LT(lof(rows[3]), 1.5);
  EXPECT_GT(lof(std::vector<double>(6, 5.0)), 5);
  EXPECT_EQ(Lof(test::clusters(8, 3, 1)).neighbours(), 7U);
}

TEST(Lof, of_many_rows_is_nearly_that_of_half_of_them_by_brute_force) {
  const Matrix rows = test::clusters(20500, 5, 1);
  Matrix fewer = rows;
  const Lof lof(rows);
  EXPECT_GT(lof.neighbours(), 0U);
  EXPECT_LT(lof.search_error(), 0.02);
  // Half of the rows, by brute force: density is halved everywhere, so the factor hardly changes.
  fewer.rows = 10000;
  fewer.values.resize(fewer.rows * fewer.cols);
  const Lof exact(fewer);
  EXPECT_EQ(exact.search_error(), 0);
  const Matrix points = test::spread_points(rows, 50, 0.02, 4);
  double difference = 0;
  for (std::size_t i = 0; i < points.rows; ++i)
    difference += std::abs(lof(points[i]) - exact(points[i])) / 50;
  EXPECT_LT(difference, 0.1);
}

TEST(Lof, rejects_what_it_cannot_measure) {
  EXPECT_THROW(Lof(Matrix(1, 3)), Error);
  EXPECT_THROW(Lof(Matrix(5, 3), 0), Error);
  Matrix broken(4, 2);
  broken[2][1] = NAN;
  EXPECT_THROW(Lof{broken}, Error);
  EXPECT_THROW(Lof(Matrix(5, 3), 2, {0, 0}), Error);
  EXPECT_THROW(Lof(Matrix(5, 3))(std::vector<double>(2)), Error);
}

}  // namespace
}  // namespace scfe
