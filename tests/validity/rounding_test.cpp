// The margin that a row has to reach, against the formula worked out by hand.
#include "validity/rounding.h"

#include <gtest/gtest.h>

#include "scfe/bundle.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

std::vector<Feature> ranges(const std::vector<double>& ends) {
  std::vector<Feature> features(ends.size());
  for (std::size_t f = 0; f < ends.size(); ++f) features[f].min = -ends[f], features[f].max = ends[f];
  return features;
}

double required_at(const Model& model, const std::vector<double>& row, const std::vector<double>& ends) {
  Matrix rows(1, row.size());
  rows.values = row;
  Pool pool(1);
  const Validity validity(model.scores(), {.target = 1, .margin = 1e-4, .probability = {}});
  return required_margins(model, validity, ranges(ends), rows, pool)[0];
}

TEST(Rounding, is_a_share_of_the_sums_of_a_linear_score) {
  const auto model = test::linear_model({1000, -2}, 3);
  EXPECT_EQ(required_at(*model, {0.01, 1}, {1, 1}), 1e-4) << "small sums need no more than was asked";
  EXPECT_NEAR(required_at(*model, {1e6, 5}, {1, 1}), 0x1p-20 * (1e9 + 10), 1);
}

TEST(Rounding, does_not_depend_on_units) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const auto model = test::linear_model({3 / unit, 1}, 0);
    EXPECT_NEAR(required_at(*model, {1e4 * unit, 2}, {unit, 1}), 0x1p-20 * (3e4 + 2), 1e-6) << unit;
  }
}

// Far out a saturated network is flat: the slopes of the training range count.
TEST(Rounding, takes_the_steeper_of_both_slopes) {
  Matrix first(1, 1), second(1, 1);
  first.values = {1};
  second.values = {8};
  const auto model = dense_network({{first, {0}, "tanh"}, {second, {0}, "none"}});
  EXPECT_GT(required_at(*model, {1e5}, {0.1}), 0x1p-20 * 1e5);
}

TEST(Rounding, asks_nothing_of_tree_ensembles) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const std::size_t d = trees->features();
  EXPECT_EQ(required_at(*trees, std::vector<double>(d, 1e9), std::vector<double>(d, 1.0)), 1e-4);
}

}  // namespace
}  // namespace scfe
