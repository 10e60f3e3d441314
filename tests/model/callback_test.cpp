#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/model/evaluate.h"
#include "tests/model/expect_error.h"

namespace scfe::test {
namespace {

// scores = (x0² + sin x1, x1 x2)
Callback smooth() {
  Callback callback;
  callback.features = 3;
  callback.scores = 2;
  callback.value = [](std::span<const float> x, std::span<float> scores) {
    scores[0] = x[0] * x[0] + std::sin(x[1]);
    scores[1] = x[1] * x[2];
  };
  callback.gradient = [](std::span<const float> x, std::span<const float> seed, std::span<float> gradient) {
    gradient[0] = seed[0] * 2 * x[0];
    gradient[1] = seed[0] * std::cos(x[1]) + seed[1] * x[2];
    gradient[2] = seed[1] * x[1];
  };
  return callback;
}

TEST(CallbackModel, passes_points_and_gradients) {
  Random random(1);
  const auto model = callback_model(smooth());
  EXPECT_EQ(model->features(), 3U);
  EXPECT_EQ(model->classes(), 2U);
  const Rows x = random_rows(random, 21, 3, 2), seed = random_rows(random, 21, 2, 1);
  const Evaluated got = evaluate(*model, x, seed, 30);
  for (std::size_t l = 0; l < x.size(); ++l) {
    EXPECT_NEAR(got.scores[l][0], x[l][0] * x[l][0] + std::sin(x[l][1]), 1e-6);
    EXPECT_NEAR(got.scores[l][1], x[l][1] * x[l][2], 1e-6);
    EXPECT_NEAR(got.gradient[l][0], seed[l][0] * 2 * x[l][0], 1e-6);
    EXPECT_NEAR(got.gradient[l][1], seed[l][0] * std::cos(x[l][1]) + seed[l][1] * x[l][2], 1e-6);
    EXPECT_NEAR(got.gradient[l][2], seed[l][1] * x[l][1], 1e-6);
  }
}

TEST(CallbackModel, without_a_gradient_takes_differences) {
  Random random(2);
  Callback value_only = smooth();
  value_only.gradient = nullptr;
  for (const double size : {0.01, 2.0, 300.0}) {
    const Rows x = random_rows(random, 21, 3, size), seed = random_rows(random, 21, 2, 1);
    const Evaluated want = evaluate(*callback_model(smooth()), x, seed);
    // The step is relative to |x1|, so for a large x1 it is too coarse for sin.
    const Evaluated got = evaluate(*callback_model(value_only), x, seed);
    EXPECT_EQ(got.scores, want.scores);
    for (std::size_t l = 0; l < x.size(); ++l)
      for (std::size_t j = 0; j < 3; ++j) {
        if (j == 1 && size > 10) continue;
        EXPECT_NEAR(got.gradient[l][j], want.gradient[l][j], 1e-3 * (1 + std::abs(want.gradient[l][j])))
            << size;
      }
  }
}

TEST(CallbackModel, does_not_call_for_padding_lanes) {
  int calls = 0;
  Callback counting = smooth();
  counting.value = [&](std::span<const float>, std::span<float> scores) {
    ++calls;
    scores[0] = scores[1] = 0;
  };
  evaluate(*callback_model(counting), Rows(5, {1, 2, 3}), Rows(5, {1, 1}));
  EXPECT_EQ(calls, 5);
}

// The cost that scfe/model.h states.
TEST(CallbackModel, a_gradient_by_differences_costs_two_calls_a_feature) {
  int calls = 0;
  Callback counting = smooth();
  counting.gradient = nullptr;
  counting.value = [&](std::span<const float>, std::span<float> scores) {
    ++calls;
    scores[0] = scores[1] = 0;
  };
  evaluate(*callback_model(counting), Rows(5, {1, 2, 3}), Rows(5, {1, 1}));
  EXPECT_EQ(calls, 5 + 5 * 2 * 3);
}

TEST(CallbackModel, what_the_user_throws_passes_through) {
  Callback throwing = smooth();
  throwing.value = [](std::span<const float>, std::span<float>) { throw std::range_error("the user's own"); };
  EXPECT_THROW(evaluate(*callback_model(throwing), {{1, 2, 3}}, {{1, 1}}), std::range_error);
  throwing = smooth();
  throwing.gradient = [](auto, auto, auto) { throw std::range_error("the user's own"); };
  EXPECT_THROW(evaluate(*callback_model(throwing), {{1, 2, 3}}, {{1, 1}}), std::range_error);
}

TEST(CallbackModel, errors_name_the_field) {
  Callback callback = smooth();
  callback.features = 0;
  expect_error([&] { callback_model(callback); }, {"callback.features", "at least 1", "got 0"});
  callback = smooth();
  callback.scores = 0;
  expect_error([&] { callback_model(callback); }, {"callback.scores", "at least 1", "got 0"});
  callback = smooth();
  callback.value = nullptr;
  expect_error([&] { callback_model(callback); }, {"callback.value", "a function"});
}

}  // namespace
}  // namespace scfe::test
