// Compares every activation of the catalogue, on every instruction set, with its formula in long double.
#include "model/network/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernel/activation_oracle.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

double value(kernel::ActivationKind kind, float p, float x) {
  return static_cast<double>(activation_oracle(kind, p, x));
}
double slope_at(kernel::ActivationKind kind, float p, float x) {
  return static_cast<double>(slope_oracle(kind, p, x));
}

std::vector<float> sweep() {
  std::vector<float> x = Random(1).floats(4000, -12, 12);
  for (const float size : {1e-7F, 1e-4F, 1e-2F, 3.0F, 6.0F, 30.0F, 80.0F}) x.insert(x.end(), {size, -size});
  x.push_back(0.0F);
  return x;
}

// The tolerance is relative, also for large |x|; for e^(-x²/2) it grows with the rounding of the argument.
double tolerance(kernel::ActivationKind kind, double x, double want) {
  const bool bell = kind == kernel::activation_gelu || kind == kernel::activation_gelu_tanh;
  return (bell ? 1e-6 + 2e-7 * x * x : 1e-6) * std::fabs(want) + 1e-36;
}

TEST(Activation, values_match_the_formula) {
  const std::vector<float> x = sweep();
  std::vector<float> y(x.size());
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      set->activate(row.kind, row.parameter, x.data(), y.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double want = value(row.kind, row.parameter, x[i]);
        // Near the zeros of the straight pieces the rounding error is absolute, not relative.
        const bool line =
            row.kind == kernel::activation_hard_sigmoid || row.kind == kernel::activation_hard_swish;
        const double allowed = tolerance(row.kind, x[i], want) + (line ? 2e-7 : 0);
        EXPECT_NEAR(y[i], want, allowed) << set->name << ' ' << row.name << " at " << x[i];
      }
    }
}

TEST(Activation, slopes_match_central_differences) {
  const std::vector<float> x = sweep();
  std::vector<float> dy = Random(2).floats(x.size(), -2, 2), dx(x.size());
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      set->activate_gradient(row.kind, row.parameter, x.data(), dy.data(), dx.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (near_kink(row.kind, row.parameter, x[i])) continue;
        const double want = dy[i] * slope_at(row.kind, row.parameter, x[i]);
        EXPECT_NEAR(dx[i], want, 2e-6 * std::fabs(want) + 5e-7)
            << set->name << ' ' << row.name << " at " << x[i];
      }
    }
}

TEST(Activation, parameters_are_used) {
  const std::vector<float> x = sweep();
  std::vector<float> y(x.size());
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      if (row.parameter_name.empty()) continue;
      const float parameter = row.parameter * 0.6F;
      set->activate(row.kind, parameter, x.data(), y.data(), x.size());
      bool differs = false;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double want = value(row.kind, parameter, x[i]);
        EXPECT_NEAR(y[i], want, 2e-6 * std::fabs(want) + 5e-7) << row.name << " at " << x[i];
        differs |= std::fabs(want - value(row.kind, row.parameter, x[i])) > 1e-3;
      }
      EXPECT_TRUE(differs) << row.name;
    }
}

TEST(Activation, far_out_is_the_limit_and_never_nan) {
  const float huge = 3e38F;
  const std::vector<float> x = {100, -100, 1e4F, -1e4F, 1e19F, -1e19F, huge, -huge};
  std::vector<float> y(x.size()), slope(x.size());
  const std::vector<float> ones(x.size(), 1.0F);
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      set->activate(row.kind, row.parameter, x.data(), y.data(), x.size());
      set->activate_gradient(row.kind, row.parameter, x.data(), ones.data(), slope.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double want = value(row.kind, row.parameter, x[i]);
        if (row.kind == kernel::activation_selu && std::fabs(want) > std::numeric_limits<float>::max())
          continue;
        EXPECT_NEAR(y[i], want, 2e-6 * std::fabs(want) + 1e-30)
            << set->name << ' ' << row.name << " at " << x[i];
        EXPECT_TRUE(slope[i] >= -1e-6F && slope[i] <= 1.1F) << row.name << " at " << x[i] << ": " << slope[i];
      }
    }
}

TEST(Activation, slope_at_a_kink_is_that_of_the_left) {
  const float zero = 0, one = 1;
  float slope = -1;
  for (const auto* set : kernel_sets()) {
    set->activate_gradient(kernel::activation_relu, 0, &zero, &one, &slope, 1);
    EXPECT_EQ(slope, 0.0F);
    set->activate_gradient(kernel::activation_leaky_relu, 0.25F, &zero, &one, &slope, 1);
    EXPECT_EQ(slope, 0.25F);
  }
}

TEST(Activation, nan_stays_nan) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), one = 1;
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      float y = 0, dx = 0;
      set->activate(row.kind, row.parameter, &nan, &y, 1);
      set->activate_gradient(row.kind, row.parameter, &nan, &one, &dx, 1);
      EXPECT_TRUE(std::isnan(y) && std::isnan(dx)) << row.name;
    }
}

TEST(Activation, bits_depend_on_the_value_alone) {
  const std::vector<float> x = Random(3).floats(67, -9, 9), dy = Random(4).floats(67, -1, 1);
  std::vector<float> whole(x.size()), slope(x.size());
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      set->activate(row.kind, row.parameter, x.data(), whole.data(), x.size());
      set->activate_gradient(row.kind, row.parameter, x.data(), dy.data(), slope.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        float y = 0, dx = 0;
        set->activate(row.kind, row.parameter, &x[i], &y, 1);
        set->activate_gradient(row.kind, row.parameter, &x[i], &dy[i], &dx, 1);
        EXPECT_EQ(y, whole[i]) << row.name << ' ' << i;
        EXPECT_EQ(dx, slope[i]) << row.name << ' ' << i;
      }
    }
}

TEST(Activation, writes_in_place_and_no_further) {
  const std::vector<float> x = Random(5).floats(21, -2, 2);
  for (const auto* set : kernel_sets())
    for (const ActivationRow& row : activation_catalogue()) {
      std::vector<float> apart(x.size()), place = x;
      place.push_back(7.0F);
      set->activate(row.kind, row.parameter, x.data(), apart.data(), x.size());
      set->activate(row.kind, row.parameter, place.data(), place.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(apart[i], place[i]) << row.name;
      EXPECT_EQ(place.back(), 7.0F) << row.name;
    }
}

}  // namespace
}  // namespace scfe::test
