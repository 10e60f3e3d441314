// Models with hard decisions inside: an answer does not stand where rounding decides one of them.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "model/stepped.h"
#include "scfe/explainer.h"
#include "scfe/onnx.h"
#include "tests/onnx/proto.h"
#include "tests/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

Proto numbers(const std::string& name, std::uint64_t rows, std::uint64_t cols,
              const std::vector<float>& values) {
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return Proto().number(1, rows).number(1, cols).number(2, 1).text(8, name).text(9, raw);
}

Proto to_float(const std::string& from, const std::string& to) {
  return test::node("Cast", {from}, {to}).message(5, Proto().text(1, "to").number(3, 1).number(20, 2));
}

// Two members vote, each with a hard yes or no, and both must agree: y = [v_0 > 0] + [v_1 > 0] - 1.5 with
// v = x members.
std::shared_ptr<const Model> vote() {
  Proto graph;
  graph.message(1, test::node("MatMul", {"x", "members"}, {"v"}))
      .message(1, test::node("Greater", {"v", "zero"}, {"yes"}))
      .message(1, to_float("yes", "votes"))
      .message(1, test::node("MatMul", {"votes", "each"}, {"sum"}))
      .message(1, test::node("Sub", {"sum", "most"}, {"y"}))
      .message(5, numbers("members", 2, 2, {0.7F, -0.3F, 0.4F, 0.9F}))
      .message(5, numbers("zero", 1, 1, {0}))
      .message(5, numbers("each", 2, 1, {1, 1}))
      .message(5, numbers("most", 1, 1, {1.5F}))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 1}));
  return read_onnx(test::model(graph).bytes());
}

// The model compares its input itself: exact in every runtime.
std::shared_ptr<const Model> threshold() {
  Proto graph;
  graph.message(1, test::node("Greater", {"x", "zero"}, {"yes"}))
      .message(1, to_float("yes", "votes"))
      .message(1, test::node("MatMul", {"votes", "each"}, {"y"}))
      .message(5, numbers("zero", 1, 2, {0.5F, 0.25F}))
      .message(5, numbers("each", 2, 1, {1, -1}))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 1}));
  return read_onnx(test::model(graph).bytes());
}

TEST(OnnxSteps, are_decisions_on_computed_numbers) {
  EXPECT_TRUE(has_steps(*vote()));
  EXPECT_FALSE(has_steps(*threshold()));
}

TEST(OnnxSteps, answers_hold_a_little_around_their_row) {
  const auto model = vote();
  std::mt19937_64 random(3);
  const auto uniform = [&] { return 4 * static_cast<double>(random() >> 11) * 0x1p-53 - 2; };
  Training training{Matrix(300, 2), {}, std::vector<Feature>(2)};
  for (std::size_t i = 0; i < 300; ++i) {
    for (double& x : training.rows[i]) x = uniform();
    const std::vector<float> row(training.rows[i].begin(), training.rows[i].end());
    training.labels.push_back(test::run_model(*model, {row}).scores[0][0] > 0 ? 1 : 0);
  }
  Options options;
  options.density = "none";
  options.threads = 1;
  const Explainer explainer(model, training, options);
  Matrix rows(60, 2);
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 2; ++j) rows[i][j] = training.rows[i][j];
  int answers = 0, hanging = 0;
  for (const Explanation& e : explainer.explain(rows)) {
    if (e.status != Status::valid) continue;
    ++answers;
    for (const double a : {-5e-7, 5e-7})
      for (const double b : {-5e-7, 5e-7}) {
        const std::vector<float> near = {static_cast<float>(e.counterfactual[0] * (1 + a)),
                                         static_cast<float>(e.counterfactual[1] * (1 + b))};
        hanging += (test::run_model(*model, {near}).scores[0][0] > 0 ? 1 : 0) == e.target ? 0 : 1;
      }
  }
  EXPECT_GE(answers, 50);
  EXPECT_EQ(hanging, 0);
}

}  // namespace
}  // namespace scfe
