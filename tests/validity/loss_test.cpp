#include "validity/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

struct Point {
  float value, slope;
};
Point at(const LossRow& row, float margin, float kappa) {
  Point point{};
  row.evaluate({&margin, 1}, kappa, &point.value, &point.slope);
  return point;
}

TEST(Loss, slopes_are_the_derivatives) {
  constexpr float h = 1e-2F;
  for (const LossRow& row : loss_catalogue())
    for (const float kappa : {0.0F, 0.25F})
      for (float t = -4; t < 4; t += 0.0937F) {
        const float up = at(row, t + h, kappa).value, down = at(row, t - h, kappa).value;
        if ((up == 0) != (down == 0)) continue;  // not differentiable here
        EXPECT_NEAR(at(row, t, kappa).slope, (up - down) / (2 * h), 1e-4) << row.name << " at " << t;
      }
}

TEST(Loss, zero_exactly_where_the_margin_is_reached_and_falling_before) {
  for (const LossRow& row : loss_catalogue()) {
    EXPECT_EQ(at(row, 0, 0).value, 0) << row.name;
    EXPECT_EQ(at(row, 3, 0).value, 0) << row.name;
    EXPECT_EQ(at(row, 3, 0).slope, 0) << row.name;
    EXPECT_GT(at(row, -1e-3F, 0).value, 0) << row.name;
    EXPECT_LT(at(row, -1e-3F, 0).slope, 0) << row.name;
    EXPECT_GT(at(row, 0.01F, 0.25F).value, 0) << row.name;
    EXPECT_TRUE(std::isfinite(at(row, -1e6F, 0).value) && std::isfinite(at(row, -1e6F, 0).slope)) << row.name;
    EXPECT_TRUE(std::isnan(at(row, NAN, 0).value)) << row.name << ": no number must not look like no loss";
  }
}

TEST(Loss, the_probability_form_is_the_public_one) {
  for (const float t : {-3.0F, -0.5F, 0.4F}) {
    const double f = 1 / (1 + std::exp(-double{t}));
    EXPECT_NEAR(at(find_loss(LossKind::probability), t, 0.1F).value, std::fmax(0.0, 0.1 - (2 * f - 1)), 1e-6);
  }
}

}  // namespace
}  // namespace scfe
