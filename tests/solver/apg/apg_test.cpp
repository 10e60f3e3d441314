#include "solver/apg/apg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/solver/halfspace.h"

namespace scfe {
namespace {

using test::answer;
using test::d;
using test::World;

// min |w|² with slope·w = need, one feature at most: the cheapest feature that can do it.
double cheapest_single(const World& world, const std::vector<float>& x, double need) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < d; ++j) {
    const double w = need / world.slope[j];
    if (x[j] + w >= 0 && x[j] + w <= 1) best = std::fmin(best, w * w);
  }
  return best;
}

// min |w|² with slope·w = need in the box: w = clip(lambda slope), lambda by bisection.
double cheapest(const World& world, const std::vector<float>& x, double need) {
  double low = 0, high = 10, square = 0;
  for (int i = 0; i < 60; ++i) {
    const double lambda = (low + high) / 2;
    double reached = square = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double w = std::clamp(lambda * world.slope[j], -double{x[j]}, 1 - double{x[j]});
      reached += world.slope[j] * w;
      square += w * w;
    }
    (reached < need ? low : high) = lambda;
  }
  return square;
}

TEST(Apg, finds_the_projection_onto_the_boundary_within_the_box) {
  World world(20);
  const auto prox = make_prox(SparsityKind::none, {});
  Apg apg(d, 20, {});
  ASSERT_TRUE(apg.solve(world.problem(*prox)));
  for (std::size_t lane = 0; lane < 20; ++lane) {
    const auto x = World::factual(lane);
    const double need = 1e-3 - world.score(x), optimum = cheapest(world, x, need);
    ASSERT_GT(need, 0);
    ASSERT_TRUE(apg.best()[lane].valid);
    EXPECT_GE(apg.best()[lane].cost, optimum * 0.9999);
    EXPECT_LE(apg.best()[lane].cost, optimum * 1.01) << lane;
  }
}

TEST(Apg, with_one_change_allowed_takes_the_cheapest_feature) {
  World world(20);
  const auto prox = make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 1, .group = {}});
  Apg apg(d, 20, {});
  apg.solve(world.problem(*prox));
  for (std::size_t lane = 0; lane < 20; ++lane) {
    const auto x = World::factual(lane);
    const double optimum = cheapest_single(world, x, 1e-3 - world.score(x));
    const auto w = answer(apg, lane);
    EXPECT_EQ(apg.best()[lane].valid, std::isfinite(optimum));
    if (!std::isfinite(optimum)) continue;
    EXPECT_EQ(std::count_if(w.begin(), w.end(), [](float move) { return move != 0; }), 1);
    EXPECT_NEAR(apg.best()[lane].cost, optimum, 0.02 * optimum) << lane;
  }
}

TEST(Apg, an_answer_out_of_reach_is_none) {
  World world(3);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t lane = 0; lane < 3; ++lane) world.box.lo[j][lane] = world.box.hi[j][lane] = 0;
  const auto prox = make_prox(SparsityKind::none, {});
  Apg apg(d, 3, {});
  EXPECT_TRUE(apg.solve(world.problem(*prox)));
  for (std::size_t lane = 0; lane < 3; ++lane) EXPECT_FALSE(apg.best()[lane].valid);
}

TEST(Apg, a_factual_that_is_valid_already_stays) {
  World world(1);
  const std::vector<float> x{0.5F, 0, 1, 1, 1};
  world.objective.set_factual(0, x);
  const auto prox = make_prox(SparsityKind::l1, {.beta = 0.1, .max_changes = 0, .group = {}});
  Apg apg(d, 1, {});
  apg.solve(world.problem(*prox));
  EXPECT_TRUE(apg.best()[0].valid);
  EXPECT_EQ(apg.best()[0].cost, 0);
  EXPECT_EQ(answer(apg, 0), std::vector<float>(d, 0.0F));
}

// Algorithm 1 written down once more, in double, for one row.
std::vector<std::vector<double>> naive_trace(const World& world, const std::vector<float>& x, double gamma,
                                             double tau, int iterations) {
  const double anchor[d] = {0.9, 0.1, 0.9, 0.1, 0.9}, beta = 0.05;
  std::vector<double> w(d, 0), z(d, 0);
  std::vector<std::vector<double>> trace;
  double sigma = 0.1, t = 1;
  for (int k = 0; k < iterations; ++k) {
    sigma *= std::sqrt(1 - static_cast<double>(k) / iterations);
    double score = -4;
    for (std::size_t j = 0; j < d; ++j) score += world.slope[j] * (x[j] + z[j]);
    const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2, alpha = (t - 1) / next_t;
    t = next_t;
    const std::vector<double> before = w, at = z;
    for (std::size_t j = 0; j < d; ++j) {
      const double grad =
          2 * at[j] - (score < 1e-3 ? gamma * world.slope[j] : 0) + 2 * tau * (x[j] + at[j] - anchor[j]);
      const double v = at[j] - sigma * grad,
                   soft = std::copysign(std::fmax(std::fabs(v) - beta * sigma, 0), v);
      w[j] = std::fmin(std::fmax(soft, -x[j]), 1 - x[j]);
      z[j] = w[j] + alpha * (w[j] - before[j]);
    }
    trace.push_back(w);
  }
  return trace;
}

TEST(Apg, the_paper_rule_follows_algorithm_1_written_naively) {
  constexpr double tau = 0.4, gamma = 0.5;
  World world(17, tau);
  const auto prox = make_prox(SparsityKind::l1, {.beta = 0.05, .max_changes = 0, .group = {}});
  ApgOptions options{.iterations = 60, .sections = 1, .gamma = gamma, .step = 0.1};
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  options.tolerance = 0;
  Apg apg(d, 17, options);
  std::vector<std::vector<std::vector<double>>> oracle;
  for (std::size_t lane = 0; lane < 17; ++lane)
    oracle.push_back(naive_trace(world, World::factual(lane), gamma, tau, 60));
  int seen = 0;
  apg.solve(world.problem(*prox), {.observe =
                                       [&](const ApgIteration& it) {
                                         EXPECT_EQ(it.iteration[0], seen++);
                                         for (std::size_t lane = 0; lane < 17; ++lane)
                                           for (std::size_t j = 0; j < d; ++j)
                                             EXPECT_NEAR(it.w[j][lane], oracle[lane][it.iteration[0]][j],
                                                         1e-4);
                                       },
                                   .should_stop = {}});
  EXPECT_EQ(seen, 60);
}

TEST(Apg, counts_what_it_asks) {
  const auto prox = make_prox(SparsityKind::none, {});
  const auto counted = [&](StepRule rule, Keep keep) {
    World world(2);
    ApgOptions options{.iterations = 30, .sections = 4};
    options.rule = rule;
    options.keep = keep;
    options.tolerance = 0;
    Apg apg(d, 2, options);
    apg.solve(world.problem(*prox));
    return apg.count(1);
  };
  EXPECT_EQ(counted(StepRule::paper, Keep::last).gradients, 120);
  EXPECT_EQ(counted(StepRule::paper, Keep::last).values, 4);
  EXPECT_EQ(counted(StepRule::paper, Keep::best).values, 124);
  EXPECT_EQ(counted(StepRule::backtracking, Keep::last).gradients, 120);
  EXPECT_EQ(counted(StepRule::backtracking, Keep::last).values, 124);
}

TEST(Apg, resting_saves_gradients_and_changes_little) {
  const auto prox = make_prox(SparsityKind::none, {});
  World world(8, 0.5);
  ApgOptions options;
  Apg resting(d, 8, options);
  options.tolerance = 0;
  Apg tireless(d, 8, options);
  resting.solve(world.problem(*prox));
  tireless.solve(world.problem(*prox));
  for (std::size_t lane = 0; lane < 8; ++lane) {
    EXPECT_LT(resting.count(lane).gradients, tireless.count(lane).gradients);
    EXPECT_NEAR(resting.best()[lane].cost, tireless.best()[lane].cost, 1e-4);
  }
}

TEST(Apg, keeping_the_last_takes_the_nearest_valid_last_iterate) {
  const auto prox = make_prox(SparsityKind::none, {});
  World world(6);
  ApgOptions options{.iterations = 50, .sections = 6};
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  options.tolerance = 0;
  Apg apg(d, 6, options);
  std::vector<std::vector<double>> lasts(6);
  apg.solve(world.problem(*prox), {.observe =
                                       [&](const ApgIteration& it) {
                                         if (it.iteration[0] != 49) return;
                                         for (std::size_t lane = 0; lane < 6; ++lane) {
                                           double score = world.score(World::factual(lane)), square = 0;
                                           for (std::size_t j = 0; j < d; ++j) {
                                             score += world.slope[j] * it.w[j][lane];
                                             square += std::pow(it.w[j][lane], 2);
                                           }
                                           if (score >= 1e-3) lasts[lane].push_back(square);
                                         }
                                       },
                                   .should_stop = {}});
  for (std::size_t lane = 0; lane < 6; ++lane) {
    ASSERT_EQ(apg.best()[lane].valid, !lasts[lane].empty());
    if (lasts[lane].empty()) continue;
    EXPECT_NEAR(apg.best()[lane].cost, *std::min_element(lasts[lane].begin(), lasts[lane].end()), 1e-5);
  }
}

}  // namespace
}  // namespace scfe
