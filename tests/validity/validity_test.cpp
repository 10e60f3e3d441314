#include "validity/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scfe/error.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

Block random_scores(Uniform& uniform, std::size_t scores, std::size_t lanes) {
  Block block(scores, lanes);
  for (std::size_t k = 0; k < scores; ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane) block[k][lane] = static_cast<float>(uniform(-3, 3));
  return block;
}

struct Margins {
  Block value;
  std::vector<int> rival;
  Margins(const Validity& validity, const Block& scores)
      : value(validity.rivals(), scores.capacity()), rival(validity.rivals() * value.stride()) {
    validity.margins(scores, value, rival);
  }
  int rival_of(std::size_t r, std::size_t lane) const { return rival[r * value.stride() + lane]; }
};

TEST(Validity, two_classes_take_the_sign_of_the_score) {
  Block scores(1, 2);
  scores[0][0] = 2, scores[0][1] = -3;
  for (const int target : {0, 1}) {
    const Validity validity(1, {.target = target, .margin = 0, .probability = {}});
    const Margins margins(validity, scores);
    EXPECT_EQ(margins.value[0][0], target == 1 ? 2 : -2);
    EXPECT_EQ(margins.value[0][1], target == 1 ? -3 : 3);
  }
}

TEST(Validity, rivals_are_the_strongest_in_order_and_ties_go_to_the_lower_class) {
  Uniform uniform(1);
  for (int i = 0; i < 200; ++i) {
    const auto classes = static_cast<std::size_t>(uniform.integer(2, 7));
    const int target = uniform.integer(0, static_cast<int>(classes) - 1);
    Block scores = random_scores(uniform, classes, 19);
    if (i % 2 == 0)
      for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t lane = 0; lane < 19; ++lane) scores[k][lane] = std::round(scores[k][lane]);
    const Validity validity(classes, {.target = target, .margin = 0, .probability = {}});
    EXPECT_EQ(validity.rivals(), std::min<std::size_t>(3, classes - 1));
    const Margins margins(validity, scores);
    for (std::size_t lane = 0; lane < 19; ++lane) {
      std::vector<int> order;
      for (int k = 0; k < static_cast<int>(classes); ++k)
        if (k != target) order.push_back(k);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return scores[a][lane] > scores[b][lane]; });
      for (std::size_t r = 0; r < validity.rivals(); ++r) {
        EXPECT_EQ(margins.rival_of(r, lane), order[r]);
        EXPECT_EQ(margins.value[r][lane], scores[target][lane] - scores[order[r]][lane]);
      }
    }
  }
}

TEST(Validity, a_target_probability_is_reached_exactly_where_the_margin_is) {
  Uniform uniform(2);
  for (const std::size_t classes : {2U, 3U, 6U})
    for (const double p : {0.2, 0.5, 0.9}) {
      const Validity validity(classes, {.target = 1, .margin = 0, .probability = p});
      EXPECT_EQ(validity.rivals(), 1U);
      const Block scores = random_scores(uniform, classes, 100);
      const Margins margins(validity, scores);
      for (std::size_t lane = 0; lane < 100; ++lane) {
        double sum = 0;
        for (std::size_t k = 0; k < classes; ++k) sum += std::exp(double{scores[k][lane]});
        const double reached = std::exp(double{scores[1][lane]}) / sum;
        EXPECT_NEAR(margins.value[0][lane], std::log(reached / (1 - reached)), 1e-5);
        EXPECT_EQ(margins.value[0][lane] >= validity.required(), reached >= p);
      }
    }
  const Validity two(1, {.target = 0, .margin = 0.25, .probability = 0.9});
  EXPECT_NEAR(two.required(), std::log(9.0) + 0.25, 1e-12);
}

TEST(Validity, seeds_are_the_derivatives_of_the_margins) {
  Uniform uniform(3);
  constexpr float h = 1e-2F;
  for (const std::size_t count : {1U, 2U, 3U, 5U})
    for (const bool by_probability : {false, true}) {
      TargetSpec spec{.target = 1, .margin = 0, .probability = {}};
      if (by_probability) spec.probability = 0.7;
      const Validity validity(count, spec);
      Block scores = random_scores(uniform, count, 33), seed(count, 33);
      const Margins at(validity, scores);
      for (std::size_t r = 0; r < validity.rivals(); ++r) {
        validity.seed(scores, at.rival, r, seed);
        for (std::size_t k = 0; k < count; ++k)
          for (std::size_t lane = 0; lane < 33; ++lane) {
            const float here = scores[k][lane];
            scores[k][lane] = here + h;
            const Margins up(validity, scores);
            scores[k][lane] = here - h;
            const Margins down(validity, scores);
            scores[k][lane] = here;
            if (up.rival_of(r, lane) != at.rival_of(r, lane) ||
                down.rival_of(r, lane) != at.rival_of(r, lane))
              continue;  // not differentiable: the order of the rivals changes
            EXPECT_NEAR(seed[k][lane], (up.value[r][lane] - down.value[r][lane]) / (2 * h), 2e-4);
          }
      }
    }
}

TEST(Validity, far_scores_stay_finite_under_a_target_probability) {
  const Validity validity(3, {.target = 0, .margin = 0, .probability = 0.9});
  Block scores(3, 1), seed(3, 1);
  scores[0][0] = -500, scores[1][0] = 800, scores[2][0] = 700;
  const Margins margins(validity, scores);
  EXPECT_FLOAT_EQ(margins.value[0][0], -1300);
  validity.seed(scores, margins.rival, 0, seed);
  EXPECT_EQ(seed[0][0], 1);
  EXPECT_FLOAT_EQ(seed[1][0], -1);
  EXPECT_NEAR(seed[2][0], 0, 1e-30);
}

TEST(Validity, a_score_that_is_no_number_is_never_valid) {
  for (const std::size_t bad : {0U, 1U, 2U, 3U})
    for (const bool by_probability : {false, true}) {
      TargetSpec spec{.target = 0, .margin = 0, .probability = {}};
      if (by_probability) spec.probability = 0.5;
      Block scores(4, 1);
      scores[0][0] = 9, scores[1][0] = 1, scores[2][0] = 2, scores[3][0] = 3;
      scores[bad][0] = NAN;
      EXPECT_FALSE(Margins(Validity(4, spec), scores).value[0][0] >= 0) << bad;
    }
}

TEST(Validity, bad_wishes_are_named) {
  EXPECT_THROW(Validity(1, {.target = 2, .margin = 0, .probability = {}}), Error);
  EXPECT_THROW(Validity(3, {.target = 3, .margin = 0, .probability = {}}), Error);
  EXPECT_THROW(Validity(3, {.target = -1, .margin = 0, .probability = {}}), Error);
  EXPECT_THROW(Validity(1, {.target = 1, .margin = -1e-3, .probability = {}}), Error);
  EXPECT_THROW(Validity(1, {.target = 1, .margin = NAN, .probability = {}}), Error);
  for (const double p : {0.0, 1.0, -0.1, 1.1, std::nan("")})
    EXPECT_THROW(Validity(1, {.target = 1, .margin = 0, .probability = p}), Error);
}

}  // namespace
}  // namespace scfe
