// Models with hard decisions inside: an answer must not lie where rounding decides one of them.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "model/stepped.h"
#include "scfe/explainer.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

// Two members vote, each with a hard yes or no, and both must agree: y = [v_0 > 0] + [v_1 > 0] - 1.5 with
// v = x members.
std::shared_ptr<const Model> vote() {
  Proto graph;
  graph.message(1, test::node("MatMul", {"x", "members"}, {"v"}))
      .message(1, test::node("Greater", {"v", "zero"}, {"yes"}))
      .message(1, test::to_float("yes", "votes"))
      .message(1, test::node("MatMul", {"votes", "each"}, {"sum"}))
      .message(1, test::node("Sub", {"sum", "most"}, {"y"}))
      .message(5, test::matrix("members", 2, 2, {0.7F, -0.3F, 0.4F, 0.9F}))
      .message(5, test::matrix("zero", 1, 1, {0}))
      .message(5, test::matrix("each", 2, 1, {1, 1}))
      .message(5, test::matrix("most", 1, 1, {1.5F}))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 1}));
  return read_onnx(test::model(graph).bytes());
}

// The model compares its input itself, which is exact in every runtime.
std::shared_ptr<const Model> threshold() {
  Proto graph;
  graph.message(1, test::node("Greater", {"x", "zero"}, {"yes"}))
      .message(1, test::to_float("yes", "votes"))
      .message(1, test::node("MatMul", {"votes", "each"}, {"y"}))
      .message(5, test::matrix("zero", 1, 2, {0.5F, 0.25F}))
      .message(5, test::matrix("each", 2, 1, {1, -1}))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 1}));
  return read_onnx(test::model(graph).bytes());
}

TEST(OnnxSteps, are_decisions_on_computed_numbers) {
  EXPECT_TRUE(has_steps(*vote()));
  EXPECT_FALSE(has_steps(*threshold()));
}

// A network with one hidden layer whose activation is built from several nodes: `nodes` compute "h" from "v".
bool steps_of(const std::vector<Proto>& nodes) {
  Proto graph;
  graph.message(1, test::node("MatMul", {"x", "members"}, {"v"}));
  for (const Proto& node : nodes) graph.message(1, node);
  graph.message(1, test::node("MatMul", {"h", "each"}, {"y"}))
      .message(5, test::matrix("members", 2, 2, {0.7F, -0.3F, 0.4F, 0.9F}))
      .message(5, test::matrix("each", 2, 1, {1, -1}))
      .message(5, test::matrix("zero", 1, 1, {0}))
      .message(5, test::matrix("one", 1, 1, {1}))
      .message(5, test::matrix("slope", 1, 1, {0.1F}))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 1}));
  return has_steps(*read_onnx(test::model(graph).bytes()));
}

TEST(OnnxSteps, are_no_kinks) {
  const Proto above = test::node("Greater", {"v", "zero"}, {"up"}), cast = test::to_float("up", "gate");
  const Proto scaled = test::node("Mul", {"slope", "v"}, {"low"});
  const auto where = [](const char* a, const char* b) { return test::node("Where", {"up", a, b}, {"h"}); };
  EXPECT_FALSE(steps_of({above, where("v", "zero")}));
  EXPECT_FALSE(steps_of({test::node("Less", {"zero", "v"}, {"up"}), where("v", "zero")}));
  EXPECT_FALSE(steps_of({above, scaled, where("v", "low")}));
  EXPECT_FALSE(steps_of(
      {above, test::node("Exp", {"v"}, {"e"}), test::node("Sub", {"e", "one"}, {"low"}), where("v", "low")}));
  EXPECT_FALSE(steps_of({above, cast, test::node("Mul", {"v", "gate"}, {"h"})}));
  EXPECT_FALSE(steps_of({test::node("Greater", {"v", "one"}, {"up"}), where("one", "v")}));
  // Jumps.
  EXPECT_TRUE(steps_of({above, where("v", "one")}));
  EXPECT_TRUE(steps_of({test::node("Greater", {"v", "one"}, {"up"}), where("v", "zero")}));
  EXPECT_TRUE(steps_of({above, cast, test::node("Mul", {"one", "gate"}, {"h"})}));
  EXPECT_TRUE(steps_of({above, cast, test::node("Add", {"v", "gate"}, {"h"})}));
  // One reader makes a kink, the other a jump.
  EXPECT_TRUE(steps_of({above, test::node("Where", {"up", "v", "zero"}, {"r"}), cast,
                        test::node("Add", {"r", "gate"}, {"h"})}));
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
  options.density = DensityKind::none;
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

// Three members with weights in tenths vote on whole numbers: v = (x tenths + offset) / 10, in small numbers.
struct Tenths {
  static constexpr int weight[3][3] = {{1, -3, 2}, {2, 1, -4}, {-3, 2, 7}}, offset[3] = {-1, 3, -12};

  // The class if all tied members vote yes (at_tie) or no.
  static int said(const std::vector<double>& x, bool at_tie) {
    int votes = 0;
    for (int m = 0; m < 3; ++m) {
      double sum = offset[m];
      for (std::size_t i = 0; i < 3; ++i) sum += weight[i][m] * x[i];
      votes += sum > 0 || (sum == 0 && at_tie) ? 1 : 0;
    }
    return votes >= 2 ? 1 : 0;
  }
  static std::shared_ptr<const Model> model() {
    std::vector<float> weights, offsets;
    for (const auto& row : weight)
      for (const int tenths : row) weights.push_back(static_cast<float>(tenths) / 10);
    for (const int tenths : offset) offsets.push_back(static_cast<float>(tenths) / 10);
    Proto graph;
    graph.message(1, test::node("MatMul", {"x", "weights"}, {"sum"}))
        .message(1, test::node("Add", {"sum", "offsets"}, {"v"}))
        .message(1, test::node("Greater", {"v", "zero"}, {"yes"}))
        .message(1, test::to_float("yes", "votes"))
        .message(1, test::node("MatMul", {"votes", "each"}, {"all"}))
        .message(1, test::node("Sub", {"all", "most"}, {"y"}))
        .message(5, test::matrix("weights", 3, 3, weights))
        .message(5, test::matrix("offsets", 1, 3, offsets))
        .message(5, test::matrix("zero", 1, 1, {0}))
        .message(5, test::matrix("each", 3, 1, {1, 1, 1}))
        .message(5, test::matrix("most", 1, 1, {1.5F}))
        .message(11, test::port("x", {-1, 3}))
        .message(12, test::port("y", {-1, 1}));
    return read_onnx(test::model(graph).bytes());
  }
};

TEST(OnnxSteps, answers_of_whole_numbers_stand_on_no_tie_that_decides) {
  std::mt19937_64 random(5);
  Training training{Matrix(400, 3), {}, std::vector<Feature>(3)};
  for (Feature& feature : training.features) feature.kind = Kind::integer;
  for (std::size_t i = 0; i < 400; ++i) {
    for (double& x : training.rows[i]) x = static_cast<double>(random() % 12);
    training.labels.push_back(Tenths::said({training.rows[i].begin(), training.rows[i].end()}, false));
  }
  Options options;
  options.density = DensityKind::none;
  options.threads = 1;
  const Explainer explainer(Tenths::model(), training, options);
  int answers = 0, hanging = 0;
  for (const Explanation& e : explainer.explain(training.rows)) {
    if (e.status != Status::valid) continue;
    ++answers;
    for (const bool at_tie : {false, true}) hanging += Tenths::said(e.counterfactual, at_tie) != e.target;
  }
  EXPECT_GE(answers, 380);
  EXPECT_EQ(hanging, 0);
}

// Times in seconds since 1970 that differ by at most two minutes: members in double can tell them apart, and
// the perturbed copies must too. v = (t - middle, n - 5); both must be above 0.
TEST(OnnxSteps, large_numbers_of_small_range_have_answers_in_double) {
  constexpr double middle = 1'700'000'050;
  constexpr std::uint64_t wide = 11;
  const auto doubles = [](const std::string& name, std::uint64_t columns, const std::vector<double>& values) {
    std::string raw(values.size() * sizeof(double), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    return Proto()
        .number(1, values.size() / columns)
        .number(1, columns)
        .number(2, wide)
        .text(8, name)
        .text(9, raw);
  };
  Proto graph;
  graph.message(1, test::node("Sub", {"x", "line"}, {"v"}))
      .message(1, test::node("Greater", {"v", "zero"}, {"yes"}))
      .message(1, test::node("Cast", {"yes"}, {"votes"})
                      .message(5, Proto().text(1, "to").number(3, wide).number(20, 2)))
      .message(1, test::node("MatMul", {"votes", "each"}, {"all"}))
      .message(1, test::node("Sub", {"all", "most"}, {"y"}))
      .message(5, doubles("line", 2, {middle + 0.3, 5.3}))
      .message(5, doubles("zero", 1, {0}))
      .message(5, doubles("each", 1, {1, 1}))
      .message(5, doubles("most", 1, {1.5}))
      .message(11, test::port("x", {-1, 2}, wide))
      .message(12, test::port("y", {-1, 1}, wide));
  OnnxOptions in_double;
  in_double.precision = Precision::float64;
  Training training{Matrix(200, 2), {}, std::vector<Feature>(2)};
  for (Feature& feature : training.features) feature.kind = Kind::integer;
  for (std::size_t i = 0; i < 200; ++i) {
    training.rows[i][0] = middle - 50 + static_cast<double>(37 * i % 100);
    training.rows[i][1] = static_cast<double>(i % 11);
    training.labels.push_back(training.rows[i][0] > middle + 0.3 && training.rows[i][1] > 5.3 ? 1 : 0);
  }
  Options options;
  options.density = DensityKind::none;
  options.precision = Precision::float64;
  options.threads = 1;
  const Explainer explainer(read_onnx(test::model(graph).bytes(), in_double), training, options);
  std::size_t answers = 0;
  for (const Explanation& e : explainer.explain(training.rows)) answers += e.status == Status::valid ? 1 : 0;
  EXPECT_GE(answers, 190U);
}

}  // namespace
}  // namespace scfe
