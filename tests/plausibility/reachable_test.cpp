// The upper bounds of log q over rows with few changes (plausibility/reachable.h).
#include "plausibility/reachable.h"

#include <gtest/gtest.h>

#include <optional>
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
Reachable random_limits(const test::Mixed& data, std::size_t row, Random& random) {
  const std::vector<std::size_t> first = first_columns(data);
  Reachable limits{std::vector<double>(data.rows[row].begin(), data.rows[row].end()),
                   std::vector<double>(data.rows.cols),
                   std::vector<double>(data.rows.cols),
                   first,
                   {},
                   {}};
  for (std::size_t f = 0; f + 1 < first.size(); ++f) {
    const bool number = first[f + 1] - first[f] == 1;
    limits.category.push_back(number ? 0 : 1);
    limits.free.push_back(random.uniform() < 0.1 ? 1 : 0);
    if (random.uniform() < 0.2) continue;
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
std::vector<double> changed(const test::Mixed& data, const Reachable& limits, std::size_t changes,
                            Random& random) {
  std::vector<double> x = limits.factual;
  const std::vector<std::size_t>& first = limits.first;
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

// The values of these rows, all changed from the same factual.
std::vector<double> values_of(const Density& density, const Reachable& limits,
                              const std::vector<std::vector<double>>& rows) {
  Matrix points(rows.size(), limits.factual.size()), factuals(rows.size(), limits.factual.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    std::ranges::copy(rows[t], points[t].begin());
    std::ranges::copy(limits.factual, factuals[t].begin());
  }
  return test::evaluate(density, points, test::anchors_of(density, factuals)).value;
}

std::optional<ReachableDensity> bounds_of(const Density& density, const Reachable& limits) {
  std::vector<float> anchor(limits.factual.size());
  density.anchor(std::vector<float>(limits.factual.begin(), limits.factual.end()), anchor);
  std::optional<Separable> separable = density.separable(anchor);
  if (!separable) return {};
  return ReachableDensity(std::move(*separable), limits);
}

// Calls check(density, data, limits, bounds, random) for random limits of each density that knows bounds.
// Returns how many kinds of densities there were.
template <class Check>
std::size_t for_each_bound(std::uint64_t seed, const Check& check) {
  std::set<std::string> bounded;
  for (const test::Mixed& data : {test::Mixed{test::clusters(60, 5, 3), {}}, test::mixed_clusters(60, 3)}) {
    test::for_each_density(data, [&](const Density& density, const AllExpected&) {
      Random random(seed);
      for (std::size_t row = 0; row < 12; ++row) {
        const Reachable limits = random_limits(data, row, random);
        std::optional<ReachableDensity> bounds = bounds_of(density, limits);
        if (!bounds) continue;
        bounded.insert(typeid(density).name());
        SCOPED_TRACE("row " + std::to_string(row));
        check(density, data, limits, *bounds, random);
      }
    });
  }
  return bounded.size();
}

constexpr std::size_t tries = 40, known_bounds = 4;  // kde, gmm, mixture, knn

TEST(Reachable, no_row_with_few_changes_has_a_larger_density) {
  std::size_t rows_tried = 0, close = 0;
  const std::size_t kinds =
      for_each_bound(5, [&](const Density& density, const test::Mixed& data, const Reachable& limits,
                            ReachableDensity& reach, Random& random) {
        constexpr std::size_t most_changes = 3;
        const std::vector<double> bounds = reach.by_changes(most_changes);
        ASSERT_EQ(bounds.size(), most_changes + 1);
        EXPECT_TRUE(std::ranges::is_sorted(bounds));
        for (std::size_t changes = 0; changes <= most_changes; ++changes) {
          std::vector<std::vector<double>> rows;
          for (std::size_t t = 0; t < tries; ++t) rows.push_back(changed(data, limits, changes, random));
          for (const double value : values_of(density, limits, rows)) {
            EXPECT_LE(value, bounds[changes] + ReachableDensity::rounding(value)) << "changes " << changes;
            ++rows_tried;
            if (value > bounds[changes] - 1) ++close;
          }
        }
      });
  EXPECT_EQ(kinds, known_bounds);
  EXPECT_GT(rows_tried, 20000U);
  EXPECT_GT(close, rows_tried / 10) << "the bounds tell nothing";
}

// A part of what a feature may become, and a random value in it.
struct Part {
  float lo = 0, hi = 0;
  std::vector<std::uint32_t> columns;
};

Part random_part(const Reachable& limits, std::size_t feature, bool single, Random& random) {
  Part part;
  const std::size_t begin = limits.first[feature];
  if (limits.category[feature]) {
    for (std::size_t j = begin; j < limits.first[feature + 1]; ++j)
      if (limits.factual[j] == 1 || limits.hi[j] > 0) part.columns.push_back(static_cast<std::uint32_t>(j));
    while (part.columns.size() > 1 && (single || random.uniform() < 0.4))
      part.columns.erase(part.columns.begin() +
                         static_cast<std::ptrdiff_t>(random.index(part.columns.size())));
    return part;
  }
  const auto within = [&] {
    return static_cast<float>(limits.factual[begin] + limits.lo[begin] +
                              random.uniform() * (limits.hi[begin] - limits.lo[begin]));
  };
  part.lo = part.hi = within();
  if (!single) part.hi = within();
  if (part.lo > part.hi) std::swap(part.lo, part.hi);
  return part;
}

void move_into(const Part& part, const Reachable& limits, std::size_t feature, Random& random,
               std::vector<double>& x) {
  const std::size_t begin = limits.first[feature];
  if (!limits.category[feature]) {
    x[begin] =
        std::clamp(part.lo + static_cast<float>(random.uniform()) * (part.hi - part.lo), part.lo, part.hi);
    return;
  }
  std::fill(x.begin() + static_cast<std::ptrdiff_t>(begin),
            x.begin() + static_cast<std::ptrdiff_t>(limits.first[feature + 1]), 0.0);
  x[part.columns[random.index(part.columns.size())]] = 1;
}

// The boxes of a support: some are single points, of which the bound is the value itself.
TEST(Reachable, no_row_of_a_box_has_a_larger_density) {
  std::size_t rows_tried = 0, points = 0, refused = 0;
  const std::size_t kinds =
      for_each_bound(7, [&](const Density& density, const test::Mixed&, const Reachable& limits,
                            ReachableDensity& reach, Random& random) {
        for (std::size_t box = 0; box < tries; ++box) {
          const bool single = box % 4 == 0;
          std::vector<std::uint16_t> support;
          for (std::size_t f = 0; f < limits.features(); ++f)
            if (!limits.free[f] && support.size() < 3 && random.uniform() < 0.5)
              support.push_back(static_cast<std::uint16_t>(f));
          std::vector<Part> parts;
          for (const std::uint16_t f : support) parts.push_back(random_part(limits, f, single, random));
          std::vector<ReachableDensity::Side> sides;
          for (const Part& part : parts) sides.push_back({part.lo, part.hi, part.columns});
          reach.set_support(support);
          const double most = reach.most(sides);
          EXPECT_LE(most, reach.most() + 1e-5 * std::abs(most)) << "a part of what the support may become";
          EXPECT_LE(reach.most(), reach.by_changes(support.size()).back() + 1e-5 * std::abs(most));
          EXPECT_TRUE(reach.may_reach(sides, most));
          const double beyond = most + 2 * ReachableDensity::rounding(most) + 1e-3;
          refused += reach.may_reach(sides, beyond) ? 0 : 1;
          std::vector<std::vector<double>> rows(8, limits.factual);
          for (std::vector<double>& row : rows)
            for (std::size_t i = 0; i < support.size(); ++i)
              move_into(parts[i], limits, support[i], random, row);
          for (const double value : values_of(density, limits, rows)) {
            EXPECT_LE(value, most + ReachableDensity::rounding(value));
            EXPECT_TRUE(reach.may_reach(sides, value));
            ++rows_tried;
            if (!single || std::ranges::find(limits.free, 1) != limits.free.end()) continue;
            EXPECT_NEAR(value, most, ReachableDensity::rounding(value));
            ++points;
          }
        }
      });
  EXPECT_EQ(kinds, known_bounds);
  EXPECT_GT(rows_tried, 50000U);
  EXPECT_GT(points, 1000U);
  EXPECT_EQ(refused, rows_tried / 8);
}

}  // namespace
}  // namespace scfe
