#include "validity/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

TEST(Loss, slopes_are_the_derivatives) {
  constexpr float h = 1e-2F;
  for (const LossRow& row : loss_catalogue())
    for (const float kappa : {0.0F, 0.25F})
      for (float t = -4; t < 4; t += 0.0937F) {
        const float up = row.value(t + h, kappa), down = row.value(t - h, kappa);
        if ((up == 0) != (down == 0)) continue;  // the kink
        EXPECT_NEAR(row.slope(t, kappa), (up - down) / (2 * h), 1e-4) << row.name << " at " << t;
      }
}

TEST(Loss, zero_exactly_where_the_margin_is_reached_and_falling_before) {
  for (const LossRow& row : loss_catalogue()) {
    EXPECT_EQ(row.value(0, 0), 0) << row.name;
    EXPECT_EQ(row.value(3, 0), 0) << row.name;
    EXPECT_EQ(row.slope(3, 0), 0) << row.name;
    EXPECT_GT(row.value(-1e-3F, 0), 0) << row.name;
    EXPECT_LT(row.slope(-1e-3F, 0), 0) << row.name;
    EXPECT_GT(row.value(0.01F, 0.25F), 0) << row.name;
    EXPECT_TRUE(std::isfinite(row.value(-1e6F, 0)) && std::isfinite(row.slope(-1e6F, 0))) << row.name;
    EXPECT_TRUE(std::isnan(row.value(NAN, 0))) << row.name << ": no number must not look like no loss";
  }
}

TEST(Loss, the_probability_form_is_the_public_one) {
  for (const float t : {-3.0F, -0.5F, 0.4F}) {
    const double f = 1 / (1 + std::exp(-double{t}));
    EXPECT_NEAR(find_loss("probability").value(t, 0.1F), std::fmax(0.0, 0.1 - (2 * f - 1)), 1e-6);
  }
  EXPECT_THROW(find_loss("square"), Error);
}

}  // namespace
}  // namespace scfe
