// Momentum, step rules, section search, keep-best and the rule of the grid: by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scfe/error.h"
#include "solver/apg/best.h"
#include "solver/apg/coefficients.h"
#include "solver/apg/grid.h"
#include "solver/apg/momentum.h"
#include "solver/apg/section.h"
#include "solver/apg/step.h"

namespace scfe {
namespace {

TEST(Momentum, first_values_by_hand) {
  // beta: 1, 1.6180340, 2.1935270, 2.7497914, 3.2948822
  Momentum momentum;
  EXPECT_EQ(momentum.next(), 0);
  EXPECT_NEAR(momentum.next(), 0.6180340 / 2.1935270, 1e-6);
  EXPECT_NEAR(momentum.next(), 1.1935270 / 2.7497914, 1e-6);
  EXPECT_NEAR(momentum.next(), 1.7497914 / 3.2948822, 1e-6);
  momentum.restart();
  EXPECT_EQ(momentum.next(), 0);
  EXPECT_NEAR(momentum.next(), 0.2817535, 1e-6);
}

// sqrt(1 + 4 beta) for sqrt(1 + 4 beta²) would stall near (beta - 1) / beta: FISTA's tends to 1 as 1 - 3/t.
TEST(Momentum, tends_to_one_as_fista_does) {
  Momentum momentum;
  double alpha = 0;
  for (int t = 0; t < 1000; ++t) alpha = momentum.next();
  EXPECT_NEAR(alpha, 1 - 3.0 / 1000, 1e-4);
}

TEST(PaperStep, compounds) {
  double step = 0.5;
  std::vector<double> steps;
  for (int t = 0; t < 200; ++t) steps.push_back(step = paper_step(step, t, 200));
  EXPECT_EQ(steps[0], 0.5);
  EXPECT_NEAR(steps[1], 0.5 * std::sqrt(0.995), 1e-15);
  EXPECT_NEAR(steps[2], 0.5 * std::sqrt(0.995 * 0.99), 1e-15);
  EXPECT_NEAR(steps[19], 0.3059347, 1e-6);
  EXPECT_NEAR(steps[99] / 0.5, 2.6e-7, 1e-8);
}

// With 2³¹ - 1 iterations a list of all of them would take 17 GB and half a minute before the first step.
TEST(Coefficients, are_listed_as_far_as_asked_for) {
  ApgOptions options;
  options.iterations = 200;
  options.step = 0.5;
  Coefficients few(options);
  EXPECT_NEAR(few.paper_step(19), 0.3059347, 1e-6);
  EXPECT_EQ(few.paper_step(0), 0.5F);
  EXPECT_NEAR(few.alpha(2), 1.1935270 / 2.7497914, 1e-6);
  EXPECT_EQ(few.paper_step(199), 1e-16F) << "never below the least step";
  options.iterations = 2147483647;
  Coefficients many(options);
  EXPECT_NEAR(many.paper_step(1000), 0.5, 1e-3);
  EXPECT_NEAR(many.alpha(1000), 1 - 3.0 / 1000, 1e-4);
}

TEST(Backtracking, accepts_below_the_parabola_only) {
  // f(z) = 1, slope -1, |w - z|² = 1, step 1/2: the parabola is at 1 - 1 + 1 = 1.
  EXPECT_TRUE(sufficient_decrease({1, 0.9F, -1, 1}, 0.5F));
  EXPECT_TRUE(sufficient_decrease({1, 1, -1, 1}, 0.5F));
  EXPECT_FALSE(sufficient_decrease({1, 1.001F, -1, 1}, 0.5F));
  EXPECT_TRUE(sufficient_decrease({1, 1.001F, -1, 1}, 0.25F));
  EXPECT_FALSE(sufficient_decrease({1, NAN, -1, 1}, 0.25F));
  EXPECT_TRUE(sufficient_decrease({1e4F, 1e4F + 0.002F, 0, 0}, 1)) << "rounding is not a failure";
}

TEST(Backtracking, halves_and_grows_again) {
  Backtracking backtracking(0.5F);
  const Trial good{1, 0, -1, 1}, bad{1, 9, -1, 1}, tiny{1, 1, 0, 1e-8F};
  EXPECT_FALSE(backtracking.accept(bad));
  EXPECT_EQ(backtracking.step(), 0.25F);
  EXPECT_FALSE(backtracking.accept(bad));
  EXPECT_EQ(backtracking.step(), 0.125F);
  EXPECT_TRUE(backtracking.accept(good));
  EXPECT_EQ(backtracking.step(), 0.15625F);
  EXPECT_TRUE(backtracking.accept(tiny));
  EXPECT_EQ(backtracking.step(), 0.15625F) << "rounding must not make it grow";
  int tries = 1;
  while (!backtracking.accept({1, 1e30F, -1, 1})) ++tries;
  EXPECT_LT(tries, 40) << "a tiny step is taken as it is: no endless shrinking";
}

TEST(Section, tenfold_until_valid_then_bisection) {
  Section section(0.1);
  EXPECT_EQ(section.gamma(), 0.1);
  section.record(false);
  EXPECT_DOUBLE_EQ(section.gamma(), 1);
  section.record(false);
  EXPECT_DOUBLE_EQ(section.gamma(), 10);
  section.record(true);
  EXPECT_DOUBLE_EQ(section.gamma(), 5.5);
  section.record(false);
  EXPECT_DOUBLE_EQ(section.gamma(), 7.75);
  section.record(true);
  EXPECT_DOUBLE_EQ(section.gamma(), 6.625);
}

TEST(Section, valid_at_once_bisects_towards_zero) {
  Section section(0.1);
  section.record(true);
  EXPECT_DOUBLE_EQ(section.gamma(), 0.05);
  section.record(true);
  EXPECT_DOUBLE_EQ(section.gamma(), 0.025);
  section.record(false);
  EXPECT_DOUBLE_EQ(section.gamma(), 0.0375);
}

class BestTest : public testing::Test {
 protected:
  // w = id in lane 0.
  void keep(float id, float margin, float density, float cost) {
    Block w(1, 1);
    w[0][0] = id;
    best.keep(w, {&margin, &density, &cost}, {1});
  }
  Best best{1, 1};
};

TEST_F(BestTest, only_valid_ones_and_the_cheapest) {
  best.set_lanes(1);
  best.start(0, {});
  keep(1, -0.1F, 0, 0);
  EXPECT_FALSE(best[0].valid);
  keep(2, NAN, 0, 0);
  EXPECT_FALSE(best[0].valid);
  keep(3, 0, 0, 5);
  EXPECT_TRUE(best[0].valid);
  keep(4, 1, 0, 7);
  EXPECT_EQ(best.w()[0][0], 3);
  keep(5, 1, 0, 4);
  EXPECT_EQ(best.w()[0][0], 5);
  keep(6, 1, 0, 4);
  EXPECT_EQ(best.w()[0][0], 5) << "a tie keeps the earlier";
  keep(7, -1, 0, 1);
  EXPECT_EQ(best.w()[0][0], 5);
  EXPECT_EQ(best[0].cost, 4);
  best.set_lanes(1);
  best.start(0, {});
  EXPECT_FALSE(best[0].valid);
  EXPECT_EQ(best.w()[0][0], 0);
}

TEST_F(BestTest, the_floor_comes_before_the_cost) {
  const std::vector<FloorOrder> orders{{.floor = -2, .slack = 0.5}};
  best.set_lanes(1);
  best.start(0, orders);
  keep(1, 1, -5, 1);
  EXPECT_TRUE(best[0].valid);
  EXPECT_FALSE(best[0].meets_floor);
  keep(2, 1, -4, 9);
  EXPECT_EQ(best.w()[0][0], 2) << "below the floor the more plausible wins";
  keep(3, 1, -4.6F, 0);
  EXPECT_EQ(best.w()[0][0], 2);
  keep(3, 1, -4.5F, 8);
  EXPECT_EQ(best.w()[0][0], 3) << "of those within the slack of the most plausible the closer wins";
  keep(2, 1, -4.9F, 1);
  EXPECT_EQ(best.w()[0][0], 3) << "the slack does not add up";
  keep(4, 1, -2, 99);
  EXPECT_EQ(best.w()[0][0], 4);
  EXPECT_TRUE(best[0].meets_floor);
  keep(5, 1, -1, 100);
  EXPECT_EQ(best.w()[0][0], 4) << "above it the cheaper wins";
  keep(6, 1, -2.5F, 0);
  EXPECT_EQ(best.w()[0][0], 4);
  keep(7, 1, NAN, 0);
  EXPECT_EQ(best.w()[0][0], 4);
}

TEST_F(BestTest, lanes_that_do_not_take_part_keep_what_they_have) {
  best.set_lanes(1);
  best.start(0, {});
  Block w(1, 1);
  const float margin = 1, density = 0, cost = 0;
  best.keep(w, {&margin, &density, &cost}, {0});
  EXPECT_FALSE(best[0].valid);
}

TEST(Grid, better_is_valid_then_changes_then_density_then_distance) {
  const Outcome invalid{false, 0, 9, 0, {}}, base{true, 2, -1, 3, {}};
  const Outcome fewer{true, 1, -9, 9, {}}, denser{true, 2, -0.5, 9, {}}, nearer{true, 2, -1, 2, {}};
  const std::vector<Outcome> ranked{fewer, denser, nearer, base, invalid};
  for (std::size_t a = 0; a < ranked.size(); ++a)
    for (std::size_t b = 0; b < ranked.size(); ++b)
      EXPECT_EQ(better(ranked[a], ranked[b]), a < b) << a << " " << b;
}

TEST(Grid, points_are_logarithmic) {
  const auto points = grid_points({});
  ASSERT_EQ(points.size(), 49U);
  EXPECT_NEAR(points.front().beta, 1e-3, 1e-12);
  EXPECT_NEAR(points.back().tau, 1e3, 1e-6);
  EXPECT_NEAR(points[1].tau / points[0].tau, 10, 1e-9);
  EXPECT_EQ(points[0].k, 0);
  const auto with_k = grid_points({.least = 0.1, .most = 10, .points = 3, .k = {3, 4, 5}});
  ASSERT_EQ(with_k.size(), 27U);
  EXPECT_EQ(with_k[9].k, 4);
  EXPECT_NEAR(with_k[13].beta, 1, 1e-12);
  EXPECT_EQ(grid_points({.least = 0.5, .most = 10, .points = 1, .k = {}}).front().beta, 0.5);
  EXPECT_THROW(grid_points({.least = 0, .most = 1, .points = 3, .k = {}}), Error);
  EXPECT_THROW(grid_points({.least = 2, .most = 1, .points = 3, .k = {}}), Error);
  EXPECT_THROW(grid_points({.least = 1, .most = 2, .points = 0, .k = {}}), Error);
}

TEST(Grid, each_row_chooses_for_itself) {
  const std::vector<GridPoint> points{{1, 1, 0}, {2, 1, 0}, {3, 1, 0}};
  const auto choice = grid_search(points, [](const GridPoint& point) -> std::vector<Outcome> {
    const int i = static_cast<int>(point.beta);
    return {{i != 1, 4 - i, 0, 1, {}}, {i == 1, 1, 0, 1, {}}, {false, 0, 0, 0, {}}, {true, 1, 0, 1, {}}};
  });
  ASSERT_EQ(choice.size(), 4U);
  EXPECT_EQ(choice[0].point.beta, 3);
  EXPECT_EQ(choice[1].point.beta, 1);
  EXPECT_FALSE(choice[2].outcome.valid);
  EXPECT_EQ(choice[3].point.beta, 1) << "the earlier wins a tie";
}

}  // namespace
}  // namespace scfe
