// Compares the dense layers found in a graph with the graph itself; tests what a graph says about its output.
#include <gtest/gtest.h>

#include <cmath>

#include "model/network/activation.h"
#include "model/trees/ensemble.h"
#include "scfe/bundle.h"
#include "scfe/onnx.h"
#include "tests/helper/uniform.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

double activated(const std::string& name, double z) {
  if (name == "none") return z;
  if (name == "relu") return std::max(z, 0.0);
  if (name == "tanh") return std::tanh(z);
  if (name == "sigmoid") return 1 / (1 + std::exp(-z));
  ADD_FAILURE() << name;
  return z;
}

std::vector<double> through(std::span<const Layer> layers, std::vector<double> x) {
  for (const Layer& layer : layers) {
    std::vector<double> y = layer.bias;
    for (std::size_t o = 0; o < y.size(); ++o) {
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += layer.weight[o][i] * x[i];
      y[o] = activated(layer.activation, y[o]);
    }
    x = std::move(y);
  }
  return x;
}

TEST(OnnxLayers, are_the_graph_itself) {
  for (const char* name : {"german_credit", "housing", "wdbc", "wine", "wine3"}) {
    const auto model = read_onnx(SCFE_SOURCE_DIR "/data/models/" + std::string(name) + ".onnx");
    ASSERT_FALSE(model->layers().empty()) << name;
    test::Uniform random(3);
    test::Rows rows(20, std::vector<float>(model->features()));
    for (std::vector<float>& row : rows)
      for (float& x : row) x = static_cast<float>(random(-1, 3));
    const test::Rows scores = test::run_model(*model, rows).scores;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::vector<double> z = through(model->layers(), {rows[r].begin(), rows[r].end()});
      ASSERT_EQ(z.size(), scores[r].size());
      for (std::size_t k = 0; k < z.size(); ++k)
        EXPECT_NEAR(z[k], scores[r][k], 1e-4 * (1 + std::abs(z[k]))) << name;
    }
  }
}

// A column and a row of weights are small, but their product, or the layer of an activation, is too large.
TEST(OnnxLayers, are_left_out_where_they_are_too_large) {
  constexpr std::size_t wide = 3000;
  const auto weights = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    const std::vector<float> ones(rows * columns, 0.001F);
    return test::Proto()
        .number(1, rows)
        .number(1, columns)
        .number(2, 1)
        .text(8, name)
        .text(9, std::string(reinterpret_cast<const char*>(ones.data()), ones.size() * sizeof(float)));
  };
  const auto graph = [&](bool activated) {
    test::Proto made;
    if (activated) made.message(1, test::node("Relu", {"x"}, {"r"}));
    made.message(1, test::node("MatMul", {activated ? "r" : "x", "down"}, {"h"}))
        .message(1, test::node("MatMul", {"h", "up"}, {"y"}))
        .message(5, weights("down", wide, 1))
        .message(5, weights("up", 1, wide))
        .message(11, test::port("x", {-1, wide}))
        .message(12, test::port("y", {-1, wide}));
    return test::model(made);
  };
  for (const bool activated : {false, true}) {
    const auto model = read_onnx(graph(activated).bytes());
    EXPECT_EQ(model->features(), wide);
    EXPECT_TRUE(model->layers().empty()) << activated;
  }
}

TEST(OnnxOutput, is_what_the_file_says) {
  const auto output = [](const std::string& path) { return open_model(read_model_file(path))->output(); };
  const std::string trees = SCFE_SOURCE_DIR "/tests/fixtures/trees/";
  EXPECT_EQ(output(SCFE_SOURCE_DIR "/data/models/german_credit.onnx"), Model::Output::sigmoid);
  EXPECT_EQ(output(trees + "xgboost_binary.json"), Model::Output::sigmoid);
  EXPECT_EQ(output(trees + "xgboost_regression.ubj"), Model::Output::number);
  EXPECT_EQ(output(trees + "lightgbm_binary.txt"), Model::Output::sigmoid);
  EXPECT_EQ(output(trees + "lightgbm_regression.txt"), Model::Output::number);
  EXPECT_EQ(output(trees + "lightgbm_classes.txt"), Model::Output::unknown);
}

}  // namespace
}  // namespace scfe
