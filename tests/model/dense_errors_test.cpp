#include <gtest/gtest.h>

#include <limits>

#include "tests/model/evaluate.h"
#include "tests/model/expect_error.h"

namespace scfe::test {
namespace {

Layer good(std::size_t out, std::size_t in, const std::string& activation = "relu") {
  Random random(1);
  return random_layer(random, out, in, activation);
}

void expect_bad(std::vector<Layer> layers, std::initializer_list<std::string> parts) {
  expect_error([&] { dense_network(layers); }, parts);
}

TEST(DenseErrors, sizes) {
  expect_bad({}, {"layers", "at least 1"});
  expect_bad({good(3, 4), good(2, 5)}, {"layer 2", "weight", "3 columns", "got 5"});
  Layer short_bias = good(3, 4);
  short_bias.bias.pop_back();
  expect_bad({short_bias}, {"layer 1", "bias", "3 values", "got 2"});
  Layer ragged = good(3, 4);
  ragged.weight.values.pop_back();
  expect_bad({good(4, 2), ragged}, {"layer 2", "weight", "12 values", "got 11"});
  expect_bad({Layer{Matrix(0, 3), {}, "none"}}, {"layer 1", "at least 1 x 1", "0 x 3"});
  expect_bad({Layer{Matrix(1, 0), {0.0}, "none"}}, {"layer 1", "at least 1 x 1", "1 x 0"});
}

TEST(DenseErrors, numbers_that_are_none) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    Layer layer = good(2, 3);
    layer.weight[1][2] = bad;
    expect_bad({good(3, 3), layer}, {"layer 2", "weight", "finite"});
    layer = good(2, 3);
    layer.bias[0] = bad;
    expect_bad({layer}, {"layer 1", "bias", "finite"});
  }
  Layer large = good(2, 2, "none");
  for (double& weight : large.weight.values) weight = 1e30;
  expect_bad({large, large}, {"as one", "finite"});
}

TEST(DenseErrors, activations) {
  expect_bad({good(2, 3, "rleu")}, {"layer 1 activation", "relu, relu6", "\"rleu\""});
  expect_bad({good(2, 3, "")}, {"layer 1 activation", "\"\""});
  expect_bad({good(2, 3, "softmax"), good(2, 2)}, {"layer 1 activation", "\"softmax\""});
  expect_bad({good(1, 3, "softmax")}, {"layer 1 activation", "2 outputs"});
  expect_bad({good(2, 3, "relu(1)")}, {"layer 1 activation", "relu", "no parameter"});
  for (const std::string text : {"celu()", "celu(0)", "celu(nan)", "celu(1)x)", "celu(1 )", "celu(inf)"})
    expect_bad({good(2, 3, text)}, {"layer 1 activation", "celu"});
  expect_bad({good(2, 3, "celu(1")}, {"layer 1 activation", "one of"});
}

#ifndef NDEBUG
TEST(DenseErrorsDeathTest, more_lanes_than_the_tape_holds) {
  const auto model = dense_network({good(2, 3)});
  const auto tape = model->tape(16);
  Block x(3, 17), scores(2, 17);
  EXPECT_DEATH(model->forward(x, scores, *tape), "capacity");
}
#endif

}  // namespace
}  // namespace scfe::test
