// Compares the vector functions with long double at many points of their whole range.
#pragma GCC diagnostic ignored "-Wpsabi"
#define SCFE_ISA tested
#include "kernel/isa/vector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace scfe::kernel::tested {
namespace {

using Real = long double;
using One = std::function<Vec(Vec)>;

// The largest error relative to max(|truth|, smallest) at evenly spaced points of [from, to].
double worst(const One& ours, const std::function<Real(Real)>& truth, float from, float to,
             Real smallest = 0) {
  const int points = 200000;
  double error = 0;
  for (int i = 0; i < points; i += static_cast<int>(vec_lanes)) {
    Vec x;
    for (size_t l = 0; l < vec_lanes; ++l) {
      const float share = static_cast<float>(i + static_cast<int>(l)) / static_cast<float>(points - 1);
      x[l] = from + (to - from) * share;
    }
    const Vec y = ours(x);
    for (size_t l = 0; l < vec_lanes; ++l) {
      const Real want = truth(x[l]);
      const Real size = std::fmax(std::fabs(want), smallest);
      if (size > 0) error = std::fmax(error, static_cast<double>(std::fabs(y[l] - want) / size));
      EXPECT_TRUE(std::isfinite(y[l])) << x[l];
    }
  }
  return error;
}

Vec wide_log(Vec x) { return log(x); }

TEST(Vector, exp_and_expm1) {
  const auto e = [](Real x) { return std::exp(x); };
  EXPECT_LT(worst([](Vec x) { return exp(x); }, e, -86.9F, 87.9F), 3e-7);
  EXPECT_EQ(exp(spread(-1e30F))[0], 0.0F);
  EXPECT_EQ(exp(spread(-__builtin_inff()))[0], 0.0F);
  EXPECT_GT(exp(spread(1e30F))[0], 1e38F);
  EXPECT_EQ(exp(spread(0.0F))[0], 1.0F);
  const auto m = [](Real x) { return std::expm1(x); };
  for (const float range : {1e-6F, 1e-3F, 0.3F, 1.0F, 20.0F, 86.0F})
    EXPECT_LT(worst([](Vec x) { return expm1(x); }, m, -range, range), 5e-7) << range;
}

TEST(Vector, shares_of_a_peak) {
  const auto e = [](Real x) { return std::exp(x); };
  for (const float least : {-1.0F, -10.0F, -79.0F})
    EXPECT_LT(worst([](Vec x) { return exp_share(x); }, e, least, 0.0F), 2e-7 * (1 - least / 3)) << least;
  EXPECT_EQ(exp_share(spread(0.0F))[0], 1.0F);
  EXPECT_NEAR(exp_share(spread(-1e30F))[0] / 0x1p-115F, 1, 1e-4);
}

TEST(Vector, logarithms) {
  const auto l = [](Real x) { return std::log(x); };
  for (const float top : {2.0F, 100.0F, 1e6F, 1e30F}) EXPECT_LT(worst(wide_log, l, 1.0F, top), 5e-7) << top;
  EXPECT_LT(worst(wide_log, l, 1e-30F, 1.0F), 5e-7);
  EXPECT_EQ(wide_log(spread(1.0F))[0], 0.0F);
  const auto p = [](Real x) { return std::log1p(x); };
  for (const float top : {1e-6F, 1e-2F, 1.0F})
    EXPECT_LT(worst([](Vec x) { return log1p_unit_plus(x, Vec{}); }, p, 0.0F, top), 5e-7) << top;
}

TEST(Vector, tanh_and_sigmoid) {
  const auto t = [](Real x) { return std::tanh(x); };
  for (const float range : {1e-6F, 1e-2F, 1.0F, 20.0F, 1e3F})
    EXPECT_LT(worst([](Vec x) { return tanh(x); }, t, -range, range), 5e-7) << range;
  EXPECT_EQ(tanh(spread(-1e30F))[0], -1.0F);
  const auto s = [](Real x) { return 1 / (1 + std::exp(-x)); };
  for (const float range : {1.0F, 20.0F, 86.0F})
    EXPECT_LT(worst([](Vec x) { return sigmoid(x); }, s, -range, range), 5e-7) << range;
}

TEST(Vector, error_function) {
  const auto e = [](Real x) { return std::erf(x); };
  for (const float range : {1e-6F, 1e-2F, 1.1F, 5.0F, 1e3F})
    EXPECT_LT(worst([](Vec x) { return erf(x); }, e, -range, range), 5e-7) << range;
  const auto c = [](Real z) { return std::exp(z * z) * std::erfc(z); };
  EXPECT_LT(worst([](Vec z) { return erfc_scaled(z); }, c, 0.0F, 12.0F), 6e-7);
}

}  // namespace
}  // namespace scfe::kernel::tested
