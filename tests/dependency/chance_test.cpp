// Probabilities against counting: all placements of events, all orders of a column.
#include "dependency/chance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace scfe {
namespace {

TEST(Chance, so_few_together_counts_all_placements) {
  const Chance chance(10);
  constexpr unsigned n = 10;
  int checked = 0;
  for (unsigned a = 0; a <= n; ++a)
    for (unsigned b = 0; b <= n; ++b)
      for (unsigned together = 0; together <= std::min(a, b); ++together) {
        const unsigned fixed = (1U << a) - 1;  // the rows of the first event
        unsigned few = 0, all = 0;
        for (unsigned placed = 0; placed < 1U << n; ++placed) {
          if (static_cast<unsigned>(std::popcount(placed)) != b) continue;
          ++all;
          few += static_cast<unsigned>(std::popcount(placed & fixed)) <= together ? 1 : 0;
        }
        EXPECT_NEAR(std::exp(chance.of_so_few(n, a, b, together)), static_cast<double>(few) / all, 1e-12)
            << a << " " << b << " " << together;
        ++checked;
      }
  EXPECT_GT(checked, 400);
}

TEST(Chance, an_order_counts_all_permutations) {
  const std::vector<std::pair<std::vector<double>, std::vector<double>>> columns = {
      {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
      {{1, 1, 2, 2, 3, 9}, {2, 3, 3, 4, 9, 9}},
      {{0, 0, 0, 5, 5, 7}, {7, 8, 1, 0, 6, 9}},
      {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}};
  for (const auto& [low, high] : columns) {
    std::vector<std::size_t> order(low.size());
    std::iota(order.begin(), order.end(), 0U);
    double kept = 0, broken = 0, all = 0;
    do {
      int wrong = 0;
      for (std::size_t i = 0; i < low.size(); ++i) wrong += low[i] > high[order[i]] ? 1 : 0;
      kept += wrong == 0 ? 1 : 0;
      broken += wrong;
      ++all;
    } while (std::ranges::next_permutation(order).found);
    const OrderByChance chance = order_by_chance(low, high);
    EXPECT_NEAR(std::exp(chance.log_probability), kept / all, 1e-12);
    EXPECT_NEAR(chance.expected, broken / all, 1e-12);
  }
}

// The bound is at least the share of permutations of the target that leave so few exceptions.
TEST(Chance, a_map_is_bounded_from_above) {
  const std::vector<int> source = {0, 0, 0, 1, 1, 1, 2, 2};
  int checked = 0;
  const std::vector<std::vector<int>> targets = {
      {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 1}};
  for (std::vector<int> target : targets) {
    std::map<int, int> frequency;
    for (const int value : target) ++frequency[value];
    int most = 0;
    for (const auto& [value, count] : frequency) most = std::max(most, count);
    std::vector<double> with(target.size() + 1);
    double all = 0;
    std::ranges::sort(target);
    do {
      std::map<int, std::map<int, int>> count;
      for (std::size_t i = 0; i < source.size(); ++i) ++count[source[i]][target[i]];
      int kept = 0;
      for (const auto& [key, values] : count) {
        int best = 0;
        for (const auto& [value, times] : values) best = std::max(best, times);
        kept += best;
      }
      ++with[source.size() - static_cast<std::size_t>(kept)];
      ++all;
    } while (std::ranges::next_permutation(target).found);
    double so_few = 0;
    for (std::size_t exceptions = 0; exceptions < 4; ++exceptions) {
      so_few += with[exceptions] / all;
      const double bound =
          Chance(source.size())
              .of_map(source.size(), exceptions, 3, most / static_cast<double>(source.size()));
      EXPECT_GE(std::exp(bound), so_few - 1e-12) << exceptions;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 16);
}

}  // namespace
}  // namespace scfe
