#include "proximity/proximity.h"

#include <gtest/gtest.h>

#include "actionability/space.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

TEST(Proximity, length_is_the_inverse_of_power_and_costs_grow) {
  test::Uniform random(1);
  for (const bool squared : {true, false})
    for (int trial = 0; trial < 1000; ++trial) {
      const Proximity proximity{.squared = squared};
      const double move = random(-3, 3), weight = random(0.1, 5);
      EXPECT_NEAR(proximity.length(proximity.power(move)), std::abs(move), 1e-12);
      EXPECT_NEAR(proximity.cost(weight, move), weight * proximity.power(move), 1e-12);
      EXPECT_GT(proximity.cost(weight, 1.01 * move), proximity.cost(weight, move));
    }
}

// s = shrunk(pull, threshold) / stiffness is no worse than any other point.
TEST(Proximity, the_soft_threshold_is_the_minimiser) {
  test::Uniform random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const double threshold = random(0, 2), stiffness = random(0.1, 3), pull = random(-4, 4);
    const auto value = [&](double s) { return threshold * std::abs(s) + stiffness * s * s / 2 - pull * s; };
    const double best = value(shrunk(pull, threshold) / stiffness);
    for (int k = 0; k <= 200; ++k) EXPECT_LE(best, value(-20 + 0.2 * k) + 1e-12);
  }
}

// Weights are scaled to a median of 1, and the unit keeps the distance as it was asked.
TEST(Proximity, scaled_weights_keep_the_distance) {
  std::vector<Feature> features(3);
  features[2].kind = Kind::categorical;
  features[2].levels = {"a", "b", "c"};
  features[2].weight = 40;
  const Scaling scaling{{0, 0, 0, 0, 0}, {2, 4, 1, 1, 1}};
  const std::vector<double> weight = {10, 20, 1, 1, 1};
  const Space space(features, scaling, weight, {.squared = false, .unit = 0.5});
  const std::vector<double> from = {0, 0, 0}, to = {1, -2, 2};
  EXPECT_NEAR(space.cost(1, 0, 4), 1, 1e-12);
  EXPECT_NEAR(space.proximity().distance(space.cost(from, to)),
              0.5 * (10 * 0.5 + 20 * 0.5 + 40 * std::sqrt(0.5)), 1e-12);
  EXPECT_NEAR(2 * space.weight()[2], space.cost(2, 0, 2), 1e-12);
}

}  // namespace
}  // namespace scfe
