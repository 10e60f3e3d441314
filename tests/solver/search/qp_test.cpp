#include "solver/search/qp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/helper/uniform.h"

namespace scfe {
namespace {

struct Cut {
  std::vector<double> a;
  double b;
};

// A random problem of up to three variables, kept beside the solver for checking.
struct RandomQp {
  std::size_t size;
  std::vector<Cut> cuts;
  Proximity proximity;
  Qp qp{3, 4, proximity};

  RandomQp(test::Uniform& random, bool with_floor, const Proximity& measure = {})
      : size(static_cast<std::size_t>(random.integer(1, 3))), proximity(measure) {
    qp.reset(size);
    for (std::size_t j = 0; j < size; ++j) {
      qp.weight[j] = random(0.5, 2);
      qp.lo[j] = random(-1, 0);
      qp.hi[j] = random(0, 1);
      qp.w[j] = random(qp.lo[j], qp.hi[j]);
      qp.g[j] = random(-2, 2);
      qp.kappa[j] = random(0.1, 4);
    }
    for (int i = random.integer(1, 3); i > 0; --i) {
      Cut cut{{}, random(-0.5, 1)};
      for (std::size_t j = 0; j < size; ++j) cut.a.push_back(random(-2, 2));
      std::copy(cut.a.begin(), cut.a.end(), qp.add_cut(cut.b).begin());
      cuts.push_back(cut);
    }
    qp.with_floor = with_floor;
    qp.value = random(-1, 0.5);
    qp.floor = 0;
  }

  double cost(const std::vector<double>& s) const {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum += proximity.cost(qp.weight[j], s[j]);
    return sum;
  }
  bool feasible(const std::vector<double>& s, double slack) const {
    double m = qp.value;
    for (std::size_t j = 0; j < size; ++j)
      m += qp.g[j] * (s[j] - qp.w[j]) - 0.5 * qp.kappa[j] * std::pow(s[j] - qp.w[j], 2);
    if (qp.with_floor && m < qp.floor - slack) return false;
    for (const Cut& cut : cuts) {
      double reached = 0;
      for (std::size_t j = 0; j < size; ++j) reached += cut.a[j] * s[j];
      if (reached < cut.b - slack) return false;
    }
    return true;
  }
  // The cheapest feasible point of a grid over the box.
  double best_on_grid(int steps) const {
    double best = INFINITY;
    std::vector<double> s(size);
    const auto total = static_cast<int>(std::pow(steps, size));
    for (int c = 0; c < total; ++c) {
      int rest = c;
      for (std::size_t j = 0; j < size; ++j, rest /= steps)
        s[j] = qp.lo[j] + (qp.hi[j] - qp.lo[j]) * (rest % steps) / (steps - 1);
      if (feasible(s, 0)) best = std::min(best, cost(s));
    }
    return best;
  }
};

// Sweeps over nearly opposed cuts converge slowly; one case in a thousand may be cut short, and then misses
// by little.
void expect_no_cheaper_grid_point(const Proximity& proximity) {
  test::Uniform random(7);
  int solvable = 0, cut_short = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    RandomQp problem(random, trial % 2 == 0, proximity);
    const double grid = problem.best_on_grid(problem.size == 3 ? 25 : 201);
    if (grid == INFINITY) continue;
    ++solvable;
    problem.qp.solve();
    const std::vector<double> s(problem.qp.solution().begin(), problem.qp.solution().end());
    cut_short += !problem.feasible(s, 1e-4);
    EXPECT_TRUE(problem.feasible(s, 1e-2)) << trial;
    EXPECT_LE(problem.qp.cost(), grid + 1e-6) << trial;
    for (std::size_t j = 0; j < s.size(); ++j) {
      EXPECT_GE(s[j], problem.qp.lo[j]);
      EXPECT_LE(s[j], problem.qp.hi[j]);
    }
  }
  EXPECT_GT(solvable, 500);
  EXPECT_LE(cut_short, solvable / 1000 + 1);
}

TEST(Qp, no_grid_point_is_cheaper_and_the_answer_is_feasible) { expect_no_cheaper_grid_point({}); }
TEST(Qp, nor_for_lengths) { expect_no_cheaper_grid_point({.squared = false}); }

// A fractional knapsack: the best ratio of gain to cost first, up to its limit.
TEST(Qp, lengths_take_the_best_ratio_first) {
  Qp qp(3, 1, {.squared = false});
  qp.reset(3);
  qp.weight = {1, 1, 3};
  qp.lo = {-10, -0.5, -10};
  qp.hi = {10, 10, 10};
  qp.w = qp.g = qp.kappa = {0, 0, 0};
  const auto cut = qp.add_cut(5);
  cut[0] = 3;
  cut[1] = -4;
  cut[2] = 8;
  qp.solve();
  EXPECT_NEAR(qp.solution()[0], 1, 1e-12);  // (5 - 4 · 0.5) / 3
  EXPECT_NEAR(qp.solution()[1], -0.5, 1e-12);
  EXPECT_EQ(qp.solution()[2], 0);
  EXPECT_NEAR(qp.bound(), 1.5, 1e-9);
}

TEST(Qp, one_cut_is_solved_in_closed_form) {
  Qp qp(2, 1);
  qp.reset(2);
  qp.weight = {1, 1};
  qp.lo = {-10, -10};
  qp.hi = {10, 10};
  const auto cut = qp.add_cut(5);
  cut[0] = 3;
  cut[1] = 4;
  qp.solve();
  EXPECT_NEAR(qp.solution()[0], 0.6, 1e-12);  // 5 (3, 4) / 25
  EXPECT_NEAR(qp.solution()[1], 0.8, 1e-12);
}

TEST(Qp, out_of_reach_goes_to_the_limits) {
  Qp qp(2, 1);
  qp.reset(2);
  qp.weight = {1, 1};
  qp.lo = {-1, -1};
  qp.hi = {1, 1};
  const auto cut = qp.add_cut(100);
  cut[0] = 1;
  cut[1] = -1;
  qp.solve();
  EXPECT_EQ(qp.solution()[0], 1);
  EXPECT_EQ(qp.solution()[1], -1);
  EXPECT_EQ(qp.cut_shortfall(), 98);
}

}  // namespace
}  // namespace scfe
