// Which questions go through tables of moves.
#include "solver/search/axis.h"

#include <gtest/gtest.h>

namespace scfe {
namespace {

bool has_listed(std::size_t fine, std::size_t coarse, double coarse_max = 1) {
  std::vector<Feature> features;
  for (std::size_t f = 0; f < fine + coarse; ++f) {
    Feature& feature = features.emplace_back();
    feature.min = 0;
    feature.max = f < fine ? 1 : coarse_max;
    feature.step = f < fine ? 0 : 1;
  }
  return has_listed_features(Space(no_scaling(features.size())), features);
}

TEST(Axis, one_coarse_feature_of_a_table_is_listed) {
  EXPECT_FALSE(has_listed(30, 0));
  EXPECT_TRUE(has_listed(30, 1));
  EXPECT_FALSE(has_listed(30, 1, 100));
}

TEST(Axis, a_feature_with_one_value_is_not) { EXPECT_FALSE(has_listed(30, 1, 0)); }

TEST(Axis, a_few_coarse_pixels_are_not_but_many_are) {
  EXPECT_FALSE(has_listed(700, 20));
  EXPECT_TRUE(has_listed(700, 80));
}

}  // namespace
}  // namespace scfe
