// The upper bounds of log q over rows with few changes (plausibility/reachable.h).
#include "plausibility/reachable.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <typeinfo>

#include "tests/plausibility/each_density.h"

namespace scfe {
namespace {

using AllExpected = std::vector<test::Expected>;

// The features of such data: a number, or the columns of a category.
std::vector<std::size_t> first_columns(const test::Mixed& data) {
  std::vector<std::size_t> first;
  for (std::size_t j = 0; j < data.rows.cols; ++j)
    if (j == 0 || data.group.empty() || data.group[j] < 0 || data.group[j] != data.group[j - 1])
      first.push_back(j);
  first.push_back(data.rows.cols);
  return first;
}

// Limits of a row: numbers may move by a random length to either side, some features not at all.
struct Limits {
  std::vector<double> lo, hi;
  std::vector<char> free;
};

Limits random_limits(const test::Mixed& data, std::span<const std::size_t> first, std::size_t row,
                     Random& random) {
  Limits limits{std::vector<double>(data.rows.cols), std::vector<double>(data.rows.cols), {}};
  for (std::size_t f = 0; f + 1 < first.size(); ++f) {
    limits.free.push_back(random.uniform() < 0.1 ? 1 : 0);
    if (random.uniform() < 0.2) continue;
    const bool number = first[f + 1] - first[f] == 1;
    for (std::size_t j = first[f]; j < first[f + 1]; ++j) {
      const bool own = data.rows[row][j] == 1;
      limits.lo[j] = number ? -random.uniform() : own ? -1 : 0;
      limits.hi[j] = number ? random.uniform() : own ? 0 : 1;
    }
  }
  return limits;
}

// A row that changes what is free and so many other features, within the limits. Half of the numbers go
// towards a row of the class, where log q is large.
std::vector<double> changed(const test::Mixed& data, std::span<const std::size_t> first, std::size_t row,
                            const Limits& limits, std::size_t changes, Random& random) {
  std::vector<double> x(data.rows[row].begin(), data.rows[row].end());
  const std::span<const double> towards = data.rows[random.index(data.rows.rows)];
  for (const std::size_t f : random.permutation(first.size() - 1)) {
    if (!limits.free[f] && changes == 0) continue;
    if (!limits.free[f]) --changes;
    const std::size_t begin = first[f], width = first[f + 1] - begin;
    if (width == 1) {
      const double w = random.uniform() < 0.5 ? towards[begin] - x[begin] : 2 * random.uniform() - 1;
      x[begin] += std::clamp(w, limits.lo[begin], limits.hi[begin]);
      continue;
    }
    const std::size_t level = begin + random.index(width);
    if (limits.hi[level] == 0) continue;
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(begin), width, 0.0);
    x[level] = 1;
  }
  return x;
}

TEST(Reachable, no_row_within_the_limits_has_a_larger_density) {
  std::set<std::string> bounded;
  std::size_t rows_tried = 0, close = 0;
  for (const test::Mixed& data : {test::Mixed{test::clusters(60, 5, 3), {}}, test::mixed_clusters(60, 3)}) {
    const std::vector<std::size_t> first = first_columns(data);
    test::for_each_density(data, [&](const Density& density, const AllExpected&) {
      Random random(5);
      for (std::size_t row = 0; row < 12; ++row) {
        const Limits limits = random_limits(data, first, row, random);
        constexpr std::size_t most_changes = 3;
        const std::vector<double> bounds =
            density.most({data.rows[row], limits.lo, limits.hi, first, limits.free, most_changes});
        if (bounds.empty()) continue;
        bounded.insert(typeid(density).name());
        ASSERT_EQ(bounds.size(), most_changes + 1);
        EXPECT_TRUE(std::ranges::is_sorted(bounds));
        for (std::size_t changes = 0; changes <= most_changes; ++changes) {
          constexpr std::size_t tries = 40;
          Matrix points(tries, data.rows.cols), factuals(tries, data.rows.cols);
          for (std::size_t t = 0; t < tries; ++t) {
            std::ranges::copy(changed(data, first, row, limits, changes, random), points[t].begin());
            std::ranges::copy(data.rows[row], factuals[t].begin());
          }
          const Matrix anchors = test::anchors_of(density, factuals);
          for (const double value : test::evaluate(density, points, anchors).value) {
            const double rounding = 1e-4 * std::max(1.0, std::abs(value));
            EXPECT_LE(value, bounds[changes] + rounding) << "row " << row << ", changes " << changes;
            ++rows_tried;
            if (value > bounds[changes] - 1) ++close;
          }
        }
      }
    });
  }
  EXPECT_EQ(bounded.size(), 4U) << "kde, gmm, mixture, knn";
  EXPECT_GT(rows_tried, 20000U);
  EXPECT_GT(close, rows_tried / 10) << "the bounds tell nothing";
}

}  // namespace
}  // namespace scfe
