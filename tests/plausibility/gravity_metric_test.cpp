// Density gravity with neighbours and local densities in l1, l2 and l-infinity, against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plausibility/knn/knn.h"
#include "tests/plausibility/samples.h"

namespace scfe::test {
namespace {

double distance(std::span<const double> a, std::span<const double> b, Metric metric) {
  double sum = 0, largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double difference = std::abs(a[j] - b[j]);
    sum += metric == Metric::l2 ? difference * difference : difference;
    largest = std::max(largest, difference);
  }
  return metric == Metric::linf ? largest : metric == Metric::l2 ? std::sqrt(sum) : sum;
}

// The k rows nearest to x, without row `skip`, as (distance, row).
std::vector<std::pair<double, std::size_t>> near(const Matrix& rows, std::span<const double> x, std::size_t k,
                                                 std::size_t skip, Metric metric) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (i != skip) all.emplace_back(distance(rows[i], x, metric), i);
  std::ranges::sort(all);
  all.resize(k);
  return all;
}

TEST(GravityMetric, is_the_definition_in_every_metric) {
  const Matrix rows = clusters(90, 6, 3), factuals = clusters(20, 6, 8);
  int differs = 0;
  for (const NamedValue<Metric>& metric : choices_of<Metric>)
    for (const std::size_t k : {3, 5}) {
      const Gravity gravity(rows, {.neighbours = k, .metric = metric.value}, {});
      const Gravity usual(rows, {.neighbours = k}, {});
      for (std::size_t i = 0; i < factuals.rows; ++i) {
        std::vector<double> expected(rows.cols);
        double total = 0;
        for (const auto& [apart, row] : near(rows, factuals[i], k, rows.rows, metric.value)) {
          double sum = 0;
          for (const auto& [other_apart, other] : near(rows, rows[row], k, row, metric.value))
            sum += other_apart;
          total += 1 / sum;
          for (std::size_t j = 0; j < rows.cols; ++j) expected[j] += rows[row][j] / sum;
        }
        const std::vector<double> point = gravity.gravity(factuals[i]);
        for (std::size_t j = 0; j < rows.cols; ++j)
          EXPECT_NEAR(point[j], expected[j] / total, 1e-12) << metric.name << ' ' << i;
        differs += point != usual.gravity(factuals[i]);
      }
    }
  EXPECT_GT(differs, 20);  // the metric matters
}

TEST(GravityMetric, survives_a_file) {
  const Matrix rows = clusters(40, 3, 3);
  for (const NamedValue<Metric>& metric : choices_of<Metric>)
    for (const bool counts_itself : {false, true}) {
      const Gravity gravity(rows, {.neighbours = 4, .counts_itself = counts_itself, .metric = metric.value},
                            {});
      ByteWriter out;
      gravity.save(out);
      ByteReader in(out.bytes(), "test");
      EXPECT_EQ(Gravity::load(in).gravity(rows[7]), gravity.gravity(rows[7])) << metric.name;
    }
}

}  // namespace
}  // namespace scfe::test
