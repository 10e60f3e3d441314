#include "actionability/space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

Feature category(const std::string& name, const std::vector<std::string>& levels) {
  Feature feature;
  feature.name = name;
  feature.kind = Kind::categorical;
  feature.levels = levels;
  return feature;
}

// amount (a number), housing (one-hot, 3 levels), purpose (a code, 4 levels), age (a number).
Space mixed() {
  std::vector<Feature> features(4);
  features[0].name = "amount";
  features[1] = category("housing", {"free", "own", "rent"});
  features[2] = category("purpose", {"car", "tv", "house", "other"});
  features[2].weight = 4;
  features[2].encoding = Encoding::code;
  features[3].name = "age";
  const Scaling scaling{{100, 0, 0, 0, 0, 20}, {900, 1, 1, 1, 3, 50}};
  const std::vector<double> weight(6, 1.0);
  return {features, scaling, weight};
}

TEST(Space, counts_features_columns_and_inputs) {
  const Space space = mixed();
  EXPECT_EQ(space.features(), 4U);
  EXPECT_EQ(space.columns(), 1U + 3 + 4 + 1);
  EXPECT_EQ(space.inputs(), 1U + 3 + 1 + 1);
  EXPECT_EQ(space.groups(), (std::vector<int>{-1, 1, 1, 1, 2, 2, 2, 2, -1}));
  EXPECT_TRUE(Space(no_scaling(3)).groups().empty());
}

TEST(Space, values_become_columns_and_inputs_and_come_back) {
  const Space space = mixed();
  const std::vector<double> values{550, 2, 1, 45};
  std::vector<double> u(space.columns()), inputs(space.inputs());
  space.to_columns(values, u);
  space.to_inputs(values, inputs);
  EXPECT_EQ(u, (std::vector<double>{0.5, 0, 0, 1, 0, 1, 0, 0, 0.5}));
  EXPECT_EQ(inputs, (std::vector<double>{550, 0, 0, 1, 1, 45}));
  EXPECT_EQ(space.to_values(inputs), values);
  std::vector<float> columns(space.columns(), 9), single(space.inputs(), 9);
  for (std::size_t f = 0; f < 4; ++f) space.set(f, values[f], columns, single);
  EXPECT_EQ(std::vector<double>(columns.begin(), columns.end()), u);
  EXPECT_EQ(std::vector<double>(single.begin(), single.end()), inputs);
}

TEST(Space, inputs_that_no_level_means_are_an_error_that_names_the_feature) {
  const Space space = mixed();
  for (const std::vector<double>& inputs : {std::vector<double>{550, 1, 0, 1, 1, 45},
                                            {550, 0, 0, 0, 1, 45},
                                            {550, 0, 0.5, 0.5, 1, 45},
                                            {550, 0, 0, 1, 4, 45},
                                            {550, 0, 0, 1, 0.5, 45}}) {
    try {
      space.to_values(inputs);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(inputs[4] == 1 ? "housing" : "purpose"), std::string::npos);
    }
  }
}

TEST(Space, a_change_of_level_is_as_far_as_the_columns_say_and_weights_count) {
  const Space space = mixed();
  EXPECT_DOUBLE_EQ(space.distance(0, 100, 1000), 1);
  EXPECT_DOUBLE_EQ(space.cost(1, 0, 2), 0.5);
  EXPECT_DOUBLE_EQ(space.cost(2, 0, 2), 2);
  EXPECT_EQ(space.cost(2, 3, 3), 0);
  // The same in columns: two of them change by 1.
  EXPECT_DOUBLE_EQ(2 * space.weight()[1], 0.5);
  EXPECT_DOUBLE_EQ(2 * space.weight()[4], 2);
}

TEST(Space, distances_between_levels_may_be_given) {
  std::vector<Feature> features(1);
  features[0] = category("education", {"school", "college", "phd"});
  features[0].distances = {{0, 0.5, 1}, {0.5, 0, 0.5}, {1, 0.5, 0}};
  const Space space(features, no_scaling(3), std::vector<double>(3, 1.0));
  EXPECT_DOUBLE_EQ(space.cost(0, 0, 1), 0.25);
  EXPECT_DOUBLE_EQ(space.cost(0, 0, 2), 1);
}

TEST(Space, blocks_decode_linearly_and_gradients_follow_the_chain_rule) {
  const Space space = mixed();
  Block u(space.columns(), 21), x(space.inputs(), 21), slope(space.inputs(), 21),
      gradient(space.columns(), 21);
  for (std::size_t c = 0; c < space.columns(); ++c)
    for (std::size_t lane = 0; lane < 21; ++lane)
      u[c][lane] = 0.1F * static_cast<float>((c * 7 + lane * 3) % 10);
  space.decode(u, x);
  Block from(space.columns(), 21), w(space.columns(), 21), sum(space.columns(), 21), same(space.inputs(), 21);
  for (std::size_t c = 0; c < space.columns(); ++c)
    for (std::size_t lane = 0; lane < 21; ++lane) {
      from[c][lane] = 0.5F * u[c][lane];
      w[c][lane] = u[c][lane] - from[c][lane];
    }
  space.displace(from, w, sum, same);
  for (std::size_t i = 0; i < space.inputs(); ++i)
    for (std::size_t lane = 0; lane < 21; ++lane) EXPECT_FLOAT_EQ(same[i][lane], x[i][lane]);
  for (std::size_t i = 0; i < space.inputs(); ++i) slope[i][20] = static_cast<float>(i + 1);
  space.pull_back(slope, gradient);
  Block scratch(space.columns(), 21);
  const kernel::Scaled pulled = space.pulled_back(slope, scratch);
  for (std::size_t c = 0; c < space.columns(); ++c)
    EXPECT_FLOAT_EQ(pulled.rows.data[c * pulled.rows.stride + 20] * (pulled.scale ? pulled.scale[c] : 1.0F),
                    gradient[c][20]);
  for (std::size_t c = 0; c < space.columns(); ++c) {
    Block moved(space.columns(), 21), there(space.inputs(), 21);
    for (std::size_t j = 0; j < space.columns(); ++j) moved[j][20] = u[j][20] + (j == c ? 0.5F : 0.0F);
    space.decode(moved, there);
    double difference = 0;
    for (std::size_t i = 0; i < space.inputs(); ++i) difference += slope[i][20] * (there[i][20] - x[i][20]);
    EXPECT_NEAR(gradient[c][20], difference / 0.5, 1e-3 * (1 + std::abs(gradient[c][20]))) << c;
  }
}

}  // namespace
}  // namespace scfe
