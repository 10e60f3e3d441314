#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "scfe/block.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

struct Sample {
  std::size_t components, features;
  bool shared;
  std::vector<float> centres, inverse_stds, log_weights;

  Sample(Random& random, std::size_t n, std::size_t d, bool shared_)
      : components(n),
        features(d),
        shared(shared_),
        centres(random.floats(n * d, 0, 1)),
        inverse_stds(random.floats(shared_ ? d : n * d, 2, 12)),
        log_weights(random.floats(n, -4, 0)) {}
  kernel::Mixture mixture() const {
    return {components, features, centres.data(), inverse_stds.data(), shared, log_weights.data()};
  }
  double scale(std::size_t i, std::size_t j) const { return inverse_stds[shared ? j : i * features + j]; }
};

struct Truth {
  double value = 0;
  std::vector<double> gradient, responsibilities;
};

Truth truth(const Sample& s, const std::vector<double>& x) {
  std::vector<double> e(s.components);
  for (std::size_t i = 0; i < s.components; ++i) {
    e[i] = s.log_weights[i];
    for (std::size_t j = 0; j < s.features; ++j)
      e[i] -= 0.5 * std::pow(s.scale(i, j) * (x[j] - double{s.centres[i * s.features + j]}), 2);
  }
  const double peak = *std::max_element(e.begin(), e.end());
  double total = 0;
  for (double& exponent : e) total += exponent = std::exp(exponent - peak);
  Truth truth{peak + std::log(total), std::vector<double>(s.features), e};
  for (double& r : truth.responsibilities) r /= total;
  for (std::size_t i = 0; i < s.components; ++i)
    for (std::size_t j = 0; j < s.features; ++j)
      truth.gradient[j] += truth.responsibilities[i] * std::pow(s.scale(i, j), 2) *
                           (double{s.centres[i * s.features + j]} - x[j]);
  return truth;
}

struct Result {
  std::vector<float> value;
  Block gradient, responsibilities;
};

Result evaluate(const kernel::Kernels& set, const Sample& s, const Block& x) {
  Result result{std::vector<float>(x.padded_lanes()), Block(s.features, x.lanes()),
                Block(s.components, x.lanes())};
  std::vector<float> scratch(kernel::mixture_lanes * s.components);
  set.mixture(s.mixture(), {x.data(), x.stride()}, result.value.data(),
              {result.gradient.data(), result.gradient.stride()},
              {result.responsibilities.data(), result.responsibilities.stride()}, scratch.data(),
              x.padded_lanes());
  return result;
}

Block points(Random& random, std::size_t features, std::size_t lanes) {
  Block x(features, lanes);
  for (std::size_t j = 0; j < features; ++j)
    for (std::size_t l = 0; l < lanes; ++l) x[j][l] = static_cast<float>(random.uniform(-1, 2));
  return x;
}

std::vector<double> point(const Block& x, std::size_t lane) {
  std::vector<double> values(x.features());
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = x[j][lane];
  return values;
}

TEST(Mixture, matches_a_double_loop) {
  Random random(1);
  for (const auto* set : kernel_sets())
    for (const bool shared : {false, true})
      for (const std::size_t n : {1, 2, 3, 5, 6, 61})
        for (const std::size_t d : {1, 2, 3, 4, 5, 8, 13}) {
          const std::size_t lanes = lane_step * (1 + random.below(17));
          const Sample sample(random, n, d, shared);
          const Block x = points(random, d, lanes);
          const Result got = evaluate(*set, sample, x);
          for (std::size_t l = 0; l < lanes; ++l) {
            const Truth want = truth(sample, point(x, l));
            const double size = 1 + std::abs(want.value);
            ASSERT_NEAR(got.value[l], want.value, 1e-6 * size) << set->name << ' ' << n << ' ' << d;
            for (std::size_t i = 0; i < n; ++i)
              ASSERT_NEAR(got.responsibilities[i][l], want.responsibilities[i], 1e-6 * size) << n << ' ' << d;
            for (std::size_t j = 0; j < d; ++j)
              ASSERT_NEAR(got.gradient[j][l], want.gradient[j], 2e-4 * size) << n << ' ' << d;
          }
        }
}

TEST(Mixture, gradient_and_responsibilities_are_optional) {
  Random random(2);
  const Sample sample(random, 9, 6, false);
  const Block x = points(random, 6, 48);
  for (const auto* set : kernel_sets()) {
    const Result both = evaluate(*set, sample, x);
    std::vector<float> value(48), scratch(kernel::mixture_lanes * 9);
    Block gradient(6, 48), responsibilities(9, 48);
    const kernel::Const at{x.data(), x.stride()};
    const kernel::Mutable none{nullptr, 0};
    set->mixture(sample.mixture(), at, value.data(), none, none, scratch.data(), 48);
    EXPECT_EQ(value, both.value);
    set->mixture(sample.mixture(), at, value.data(), {gradient.data(), gradient.stride()}, none,
                 scratch.data(), 48);
    set->mixture(sample.mixture(), at, value.data(), none,
                 {responsibilities.data(), responsibilities.stride()}, scratch.data(), 48);
    for (std::size_t l = 0; l < 48; ++l) {
      for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(gradient[j][l], both.gradient[j][l]);
      for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(responsibilities[i][l], both.responsibilities[i][l]);
    }
  }
}

TEST(Mixture, bits_depend_on_the_lane_alone) {
  Random random(3);
  for (const auto* set : kernel_sets())
    for (const bool shared : {false, true}) {
      const Sample sample(random, 7, 13, shared);
      const Block x = points(random, 13, 128);
      const Result wide = evaluate(*set, sample, x);
      for (std::size_t lane = 0; lane < 128; ++lane) {
        const std::size_t lanes = lane_step * (1 + lane % 4),
                          place = (lane * 5) % lanes;  // one to four vectors
        Block one(13, lanes);
        for (std::size_t j = 0; j < 13; ++j) one[j][place] = x[j][lane];
        const Result alone = evaluate(*set, sample, one);
        EXPECT_EQ(alone.value[place], wide.value[lane]) << set->name << ' ' << lane;
        for (std::size_t j = 0; j < 13; ++j) EXPECT_EQ(alone.gradient[j][place], wide.gradient[j][lane]);
      }
    }
}

// Where every exponential underflows, and further out where even the squares overflow, the gradient must
// still lead back to the data.
TEST(Mixture, far_away_points_are_pulled_back) {
  Random random(4);
  for (const auto* set : kernel_sets())
    for (const bool shared : {false, true})
      for (const float far : {1e2F, 1e6F, 1e18F, 1e25F}) {
        const Sample sample(random, 5, 3, shared);
        Block x(3, 16);
        for (std::size_t j = 0; j < 3; ++j) std::fill_n(x[j], 16, j == 1 ? -far : far);
        const Result got = evaluate(*set, sample, x);
        EXPECT_FALSE(std::isnan(got.value[0])) << far;
        EXPECT_LT(got.value[0], -1e3F) << far;
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_TRUE(std::isfinite(got.gradient[j][0])) << far;
          EXPECT_TRUE(j == 1 ? got.gradient[j][0] > 0 : got.gradient[j][0] < 0) << far;
        }
      }
}

TEST(Mixture, nan_stays_nan) {
  Random random(5);
  const Sample sample(random, 5, 3, true);
  Block x(3, 16);
  x[1][4] = std::nanf("");
  for (const auto* set : kernel_sets()) {
    const Result got = evaluate(*set, sample, x);
    EXPECT_TRUE(std::isnan(got.value[4]));
    EXPECT_FALSE(std::isnan(got.value[3]));
  }
}

}  // namespace
}  // namespace scfe::test
