// Pertinent positives: the features whose values alone keep the decision.
#include "keep/pertinent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "actionability/features.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using test::Credit;
using test::first_rows;
using test::labelled_by;
using test::random_network;

TEST(Pertinent, the_features_that_stay_keep_the_decision) {
  const Credit credit(6);
  const std::vector<Pertinent> all = Diagnostics(credit.explainer).pertinent(credit.factuals, 0.9);
  for (const Pertinent& p : all) {
    EXPECT_EQ(p.predicted, 0);
    EXPECT_GE(p.share, 0.9);
    EXPECT_FALSE(p.features.empty());
    EXPECT_LT(p.features.size(), 20U);
  }
  EXPECT_THROW(Diagnostics(credit.explainer).pertinent(credit.factuals, 0), Error);
}

// The share is computed on rows that were not used to choose the set, so it is close to that of fresh rows.
TEST(Pertinent, the_share_is_true_of_fresh_rows) {
  const auto model = random_network(6, 1, 21);
  const Training training = labelled_by(*model, 1500, 22), fresh = labelled_by(*model, 2000, 23);
  const Explainer explainer(model, training, {});
  const Matrix factuals = first_rows(fresh.rows, 6);
  const std::vector<Pertinent> all = Diagnostics(explainer).pertinent(factuals, 0.9);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Matrix mixed = fresh.rows;
    for (std::size_t row = 0; row < mixed.rows; ++row)
      for (const std::size_t f : all[i].features) mixed[row][f] = factuals[i][f];
    const std::vector<int> decisions = explainer.predict(mixed);
    const auto kept = std::ranges::count(decisions, all[i].predicted);
    EXPECT_NEAR(static_cast<double>(kept) / static_cast<double>(mixed.rows), all[i].share, 0.05) << i;
  }
}

// a + b > 0.5 at (1, 1): the row to choose on needs both features, the row for the share needs only a.
TEST(Pertinent, what_the_stated_share_does_without_is_dropped) {
  const auto model = test::linear_model({1, 1}, -0.5);
  std::vector<Feature> features(2);
  features[0].name = "a";
  features[1].name = "b";
  features = complete_features(features, test::matrix(2, 2, {-1, -1, 1, 1}));
  const Space space(features, {{0, 0}, {1, 1}}, std::vector<double>(2, 1.0));
  const auto decide = [](std::span<const float> scores) { return scores[0] > 0 ? 1 : 0; };
  PertinentJob job{*model, space, {{-1, -1}}, {{-1, -1}}, 1, decide};
  const std::vector<double> row = {1, 1};
  EXPECT_EQ(pertinent_features(job, row).features, (std::vector<std::size_t>{0, 1}));
  job.stated_on = {{-1, 0}};
  EXPECT_EQ(pertinent_features(job, row).features, std::vector<std::size_t>{0});
}

// With few training rows all of them are used for both purposes, so that this test can try every set as well.
TEST(Pertinent, no_smaller_set_keeps_the_decision) {
  constexpr std::size_t features = 8;
  const auto model = random_network(features, 1, 31);
  const Training training = labelled_by(*model, 150, 32);
  const Explainer explainer(model, training, {});
  const Matrix factuals = first_rows(labelled_by(*model, 20, 33).rows, 12);
  const std::vector<Pertinent> all = Diagnostics(explainer).pertinent(factuals, 0.95);
  std::size_t large = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t fewest = features;
    for (unsigned set = 0; set < 1U << features; ++set) {
      Matrix mixed = training.rows;
      for (std::size_t row = 0; row < mixed.rows; ++row)
        for (std::size_t f = 0; f < features; ++f)
          if ((set >> f & 1U) != 0) mixed[row][f] = factuals[i][f];
      const std::vector<int> decisions = explainer.predict(mixed);
      const auto kept = static_cast<double>(std::ranges::count(decisions, all[i].predicted));
      if (kept / static_cast<double>(mixed.rows) >= 0.95)
        fewest = std::min(fewest, static_cast<std::size_t>(std::popcount(set)));
    }
    EXPECT_TRUE(all[i].smallest) << i;
    EXPECT_EQ(all[i].features.size(), fewest) << i;
    large += fewest > 2 ? 1 : 0;
  }
  EXPECT_GT(large, 3U);  // sets of up to two features are always all tried
}

}  // namespace
}  // namespace scfe
