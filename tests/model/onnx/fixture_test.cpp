// Compares with the committed fixtures: ONNX's own node tests for each operator, and PyTorch exports with
// autograd's gradients (made by experiments/fixtures/onnx_nodes.py, onnx_ml.py and onnx_models.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/ops/catalogue.h"
#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::NodeCase;
using test::Rows;

bool near(double got, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

TEST(OnnxNodes, values_are_those_of_the_onnx_project) {
  for (const NodeCase& node : test::node_cases()) {
    OnnxOptions single = node.options;
    single.precision = Precision::float32;
    const auto model = read_onnx(node.model, single);
    const auto run = test::run_model(*model, {node.x});
    ASSERT_EQ(run.scores[0].size(), node.y.size()) << node.name;
    for (std::size_t i = 0; i < node.y.size(); ++i)
      ASSERT_TRUE(near(run.scores[0][i], node.y[i], 2e-3))
          << node.name << " [" << i << "] " << run.scores[0][i] << " for " << node.y[i];
  }
}

// Compares the derivative of a random weighting of the outputs along a direction with central differences. A
// kink or step may lie between the two points, so a few cases may fail; with a wrong formula all of them
// fail.
TEST(OnnxNodes, gradients_agree_with_central_differences) {
  std::map<std::string, std::pair<int, int>> hits;  // op -> (good, all)
  for (const NodeCase& node : test::node_cases()) {
    const auto* row = onnx::find_operator("", node.op);
    if (!row) row = onnx::find_operator("ai.onnx.ml", node.op);
    ASSERT_NE(row, nullptr) << node.op;
    const auto model = read_onnx(node.model, node.options);
    std::vector<float> seed(model->scores()), direction(model->features());
    for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = std::sin(1.0F + 3.0F * static_cast<float>(i));
    for (std::size_t i = 0; i < direction.size(); ++i)
      direction[i] = std::cos(2.0F + 5.0F * static_cast<float>(i));
    for (const OnnxInput& input : inspect_onnx(node.model, node.options).inputs)  // integers cannot move
      if (input.type != "real")
        std::fill_n(direction.begin() + static_cast<std::ptrdiff_t>(input.first), input.count, 0.0F);
    const float step = 2e-3F;
    Rows points(3, node.x);
    for (std::size_t i = 0; i < node.x.size(); ++i) {
      points[1][i] += step * direction[i];
      points[2][i] -= step * direction[i];
    }
    const auto run = test::run_model(*model, points, Rows(3, seed));
    double slope = 0, scale = 0, expected = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
      slope += static_cast<double>(run.gradient[0][i]) * direction[i];
      scale += std::abs(static_cast<double>(run.gradient[0][i]) * direction[i]);
    }
    for (std::size_t k = 0; k < seed.size(); ++k)
      expected += (static_cast<double>(run.scores[1][k]) - run.scores[2][k]) * seed[k] / (2.0 * step);
    auto& [good, all] = hits[node.op];
    ++all;
    if (row->state == onnx::State::zero_gradient) {
      EXPECT_EQ(scale, 0.0) << node.name;
      ++good;
    } else if (!std::isfinite(expected)) {
      --all;
    } else if (std::abs(slope - expected) <= 2e-2 * std::max({1.0, std::abs(expected), scale})) {
      ++good;
    }
  }
  for (const auto& [op, count] : hits)
    EXPECT_TRUE(count.first > 0 || count.second == 0) << op << ": none of " << count.second;
}

TEST(OnnxNodes, every_operator_that_we_claim_has_a_case) {
  std::set<std::string, std::less<>> covered;
  for (const NodeCase& node : test::node_cases()) covered.insert(node.op);
  for (const std::string& name : test::exported_models())
    for (const auto& [op, count] : inspect_onnx(test::fixture("onnx/" + name + ".onnx").string()).ops)
      covered.insert(op);
  for (const auto& row : onnx::operator_catalogue()) {
    if (row.state == onnx::State::unsupported) continue;
    EXPECT_TRUE(covered.contains(row.name)) << row.name;
  }
}

TEST(OnnxExports, scores_and_gradients_are_those_of_autograd) {
  for (const std::string& name : test::exported_models()) {
    const auto expected = test::read_json(test::fixture("onnx/" + name + ".json"));
    const auto model = read_onnx(test::fixture("onnx/" + name + ".onnx").string());
    const Rows x = expected["x"], seed = expected["seed"], scores = expected["scores"],
               gradient = expected["gradient"];
    ASSERT_EQ(model->scores(), scores[0].size()) << name;
    const auto run = test::run_model(*model, x, seed);
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t k = 0; k < scores[r].size(); ++k)
        EXPECT_TRUE(near(run.scores[r][k], scores[r][k], 1e-4)) << name;
      for (std::size_t i = 0; i < x[r].size(); ++i)
        EXPECT_TRUE(near(run.gradient[r][i], gradient[r][i], 1e-4))
            << name << " row " << r << " feature " << i;
    }
  }
}

// The bits of a lane depend neither on other lanes nor on the width of the block.
TEST(OnnxExports, lanes_are_independent) {
  for (const std::string& name : test::exported_models()) {
    const Rows x = test::read_json(test::fixture("onnx/" + name + ".json"))["x"];
    const auto model = read_onnx(test::fixture("onnx/" + name + ".onnx").string());
    Rows wide;
    for (int i = 0; i < 10; ++i) wide.insert(wide.end(), x.begin(), x.end());
    const auto many = test::run_model(*model, wide);
    const auto one = test::run_model(*model, {x.back()});
    EXPECT_EQ(one.scores[0], many.scores.back()) << name;
    EXPECT_EQ(one.gradient[0], many.gradient.back()) << name;
    EXPECT_EQ(one.scores[0], many.scores[x.size() - 1]) << name;
  }
}

// A tape also works for blocks with fewer lanes than it was made for.
TEST(OnnxExports, a_tape_serves_narrower_blocks) {
  for (const std::string& name : test::exported_models()) {
    const Rows x = test::read_json(test::fixture("onnx/" + name + ".json"))["x"];
    const auto model = read_onnx(test::fixture("onnx/" + name + ".onnx").string());
    const auto tape = model->tape(70);
    Block in(model->features(), 70), scores(model->scores(), 70), seed(model->scores(), 70),
        gradient(model->features(), 70);
    for (Block* block : {&in, &scores, &seed, &gradient}) block->set_lanes(1);
    for (std::size_t i = 0; i < x[0].size(); ++i) in[i][0] = x[0][i];
    for (std::size_t k = 0; k < model->scores(); ++k) seed[k][0] = 1.0F;
    model->forward(in, scores, *tape);
    model->backward(seed, gradient, *tape);
    const auto expected = test::run_model(*model, {x[0]});
    EXPECT_EQ(test::to_rows(scores), expected.scores) << name;
    EXPECT_EQ(test::to_rows(gradient), expected.gradient) << name;
  }
}

}  // namespace
}  // namespace scfe
