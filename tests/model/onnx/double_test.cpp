// Tests plans in double precision: the same operators, compiled a second time (src/model/onnx/real.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/ops/catalogue.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::NodeCase;
using Numbers = std::vector<double>;

OnnxOptions in_double(OnnxOptions options = {}) {
  options.precision = Precision::float64;
  return options;
}

struct Point {
  Numbers scores, gradient;
};

Point at(const Model& model, const Numbers& x, const Numbers& seed) {
  const auto tape = model.tape(1);
  Point point{Numbers(model.scores()), Numbers(model.features())};
  model.forward_one(x, point.scores, *tape);
  model.backward_one(seed, point.gradient, *tape);
  return point;
}

Numbers wave(std::size_t size, double phase) {
  Numbers values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = std::sin(phase + 3.0 * static_cast<double>(i));
  return values;
}

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(OnnxDouble, nodes_have_the_values_of_the_onnx_project) {
  for (const NodeCase& node : test::node_cases()) {
    const auto model = read_onnx(node.model, in_double(node.options));
    const OnnxInfo info = inspect_onnx(node.model, node.options);
    // The fixtures hold floats: next to a threshold, a double may take the other side.
    if (!info.differentiable && std::ranges::any_of(info.inputs, &OnnxInput::wide)) continue;
    const Point point = at(*model, Numbers(node.x.begin(), node.x.end()), Numbers(model->scores(), 1.0));
    ASSERT_EQ(point.scores.size(), node.y.size()) << node.name;
    for (std::size_t i = 0; i < node.y.size(); ++i) {
      const double want = node.y[i], got = point.scores[i];
      const bool same = std::isnan(want)
                            ? std::isnan(got)
                            : got == want || std::abs(got - want) <= 2e-3 * std::max(1.0, std::abs(want));
      ASSERT_TRUE(same) << node.name << " [" << i << "] " << got << " for " << want;
    }
  }
}

// Cases in which central differences with this step do not give the slope, and why. All others must agree.
const std::map<std::string, std::string> kinks = {
    {"test_atanh", "x beside 1, where it is steep"},
    {"test_tan", "x beside a pole"},
    {"test_elu_example", "x = 0"},
    {"test_leakyrelu_example", "x = 0"},
    {"test_selu_example", "x = 0"},
    {"test_softsign_example", "x = 0"},
    {"test_l1normalization_axis_last", "x beside 0"},
};

// The probabilities of an SVMClassifier have gradient zero by our definition (the scores have a gradient).
bool is_flat(const std::string& name) {
  return name.starts_with("SVMClassifier") && name.ends_with("probability");
}

// As in fixture_test.cpp, but with a tolerance a thousand times smaller, which float would not pass. The
// inputs of these models are declared float, so the step must be large enough for a float.
TEST(OnnxDouble, gradients_of_nodes_agree_with_central_differences) {
  std::map<std::string, int> compared;  // op -> cases
  for (const NodeCase& node : test::node_cases()) {
    const auto* row = onnx::find_operator("", node.op);
    if (!row) row = onnx::find_operator("ai.onnx.ml", node.op);
    ASSERT_NE(row, nullptr) << node.op;
    const auto model = read_onnx(node.model, in_double(node.options));
    const Numbers seed = wave(model->scores(), 1);
    Numbers direction = wave(model->features(), 2), up(node.x.begin(), node.x.end()), down = up;
    // Integers cannot move, and half precision cannot move by such a small step.
    for (const OnnxInput& input : inspect_onnx(node.model, node.options).inputs)
      if (input.type != "real")
        std::fill_n(direction.begin() + static_cast<std::ptrdiff_t>(input.first), input.count, 0.0);
    constexpr double step = 1e-3;
    Numbers moved(up.size());
    for (std::size_t i = 0; i < up.size(); ++i) {
      up[i] = static_cast<float>(up[i] + step * direction[i]);
      down[i] = static_cast<float>(down[i] - step * direction[i]);
      moved[i] = (up[i] - down[i]) / (2 * step);
    }
    const Point middle = at(*model, Numbers(node.x.begin(), node.x.end()), seed);
    const double slope = dot(middle.gradient, moved);
    const double expected = dot(at(*model, up, seed).scores, seed) / (2 * step) -
                            dot(at(*model, down, seed).scores, seed) / (2 * step);
    if (!std::isfinite(expected)) continue;
    const bool zero = row->state == onnx::State::zero_gradient || is_flat(node.name);
    const bool none = std::ranges::all_of(middle.gradient, [](double g) { return g == 0; });
    const bool good = zero ? none : std::abs(slope - expected) <= 2e-5 * std::max(1.0, std::abs(expected));
    EXPECT_EQ(good, !kinks.contains(node.name)) << node.name << ": " << slope << " for " << expected;
    compared[node.op] += good ? 1 : 0;
  }
  for (const auto& [op, count] : compared) EXPECT_GT(count, 0) << op;
}

TEST(OnnxDouble, exports_agree_with_autograd_in_double) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::fixture("onnx_double"))) {
    if (entry.path().extension() != ".onnx") continue;
    ++models;
    const auto expected = test::read_json(std::filesystem::path(entry.path()).replace_extension(".json"));
    const auto model = read_onnx(entry.path().string(), in_double());
    OnnxOptions in_float;
    in_float.precision = Precision::float32;
    const auto single = read_onnx(entry.path().string(), in_float);
    EXPECT_TRUE(model->in_double());
    EXPECT_TRUE(read_onnx(entry.path().string())->in_double()) << "the precision follows the file";
    double rounding = 0;
    for (std::size_t r = 0; r < expected["x"].size(); ++r) {
      const Numbers x = expected["x"][r], seed = expected["seed"][r], scores = expected["scores"][r],
                    gradient = expected["gradient"][r];
      const Point point = at(*model, x, seed), rounded = at(*single, x, seed);
      for (std::size_t k = 0; k < scores.size(); ++k) {
        EXPECT_NEAR(point.scores[k], scores[k], 1e-11 * std::max(1.0, std::abs(scores[k]))) << entry.path();
        rounding = std::max(rounding, std::abs(rounded.scores[k] - scores[k]));
      }
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(point.gradient[i], gradient[i], 1e-10 * std::max(1.0, std::abs(gradient[i])))
            << entry.path() << " feature " << i;
    }
    EXPECT_GT(rounding, 1e-10) << "float would have done";
  }
  EXPECT_GE(models, 5);
}

// Blocks hold floats: inputs and outputs are rounded, the values in between are not.
TEST(OnnxDouble, blocks_are_the_rounded_points) {
  const auto model = read_onnx(test::fixture("onnx_double/lenet.onnx").string(), in_double());
  const auto expected = test::read_json(test::fixture("onnx_double/lenet.json"));
  test::Rows rows;
  for (int copies = 0; copies < 5; ++copies)
    for (const auto& x : expected["x"]) rows.push_back(x.get<std::vector<float>>());
  const auto run = test::run_model(*model, rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Point point = at(*model, Numbers(rows[r].begin(), rows[r].end()), Numbers(model->scores(), 1.0));
    for (std::size_t k = 0; k < model->scores(); ++k)
      EXPECT_EQ(run.scores[r][k], static_cast<float>(point.scores[k]));
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      EXPECT_EQ(run.gradient[r][i], static_cast<float>(point.gradient[i]));
  }
}

// x of the given element type -> Cast to another -> y.
std::vector<std::byte> cast_model(std::uint64_t from, std::uint64_t to) {
  const auto typed = [](const std::string& name, std::uint64_t type) {
    test::Proto dims;
    dims.message(1, test::Proto().text(2, "n")).message(1, test::Proto().number(1, 1));
    return test::Proto().text(1, name).message(
        2, test::Proto().message(1, test::Proto().number(1, type).message(2, dims)));
  };
  test::Proto cast = test::node("Cast", {"x"}, {"y"});
  cast.message(5, test::Proto().text(1, "to").number(3, to).number(20, 2));
  return test::model(test::Proto().message(1, cast).message(11, typed("x", from)).message(12, typed("y", to)))
      .bytes();
}

TEST(OnnxDouble, floats_are_rounded_where_the_file_says_so) {
  constexpr std::uint64_t single = 1, wide = 11;
  OnnxOptions options = in_double();
  options.scores = "y";
  const auto value = [&](std::uint64_t from, std::uint64_t to) {
    return at(*read_onnx(cast_model(from, to), options), {0.1}, {1}).scores[0];
  };
  const double rounded = 0.1F;
  EXPECT_EQ(value(wide, wide), 0.1);
  EXPECT_EQ(value(wide, single), rounded);
  EXPECT_EQ(value(single, wide), rounded) << "an input that is declared float";
  EXPECT_EQ(at(*read_onnx(cast_model(wide, single), options), {0.1}, {1}).gradient[0], 1.0);
  options.precision = Precision::float32;
  EXPECT_EQ(value(wide, wide), rounded);
}

TEST(OnnxDouble, whole_numbers_and_halves_are_rounded_too) {
  constexpr std::uint64_t single = 1, whole = 7, half = 10, wide = 11, brain = 16;
  OnnxOptions options;
  options.scores = "y";
  const auto value = [&](std::uint64_t from, std::uint64_t to, double x) {
    return at(*read_onnx(cast_model(from, to), options), {x}, {1}).scores[0];
  };
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    options.precision = precision;
    EXPECT_EQ(value(single, half, 0.1F), 0.0999755859375);
    EXPECT_EQ(value(single, half, 2049), 2048) << "ties to even";
    EXPECT_EQ(value(single, half, 2051), 2052);
    EXPECT_EQ(value(single, half, 65519), 65504);
    EXPECT_EQ(value(single, half, -65520), -INFINITY);
    EXPECT_EQ(value(single, half, 3e-8F), 0x1p-24) << "subnormal";
    EXPECT_EQ(value(single, half, 2e-8F), 0.0);
    EXPECT_TRUE(std::isnan(value(single, half, NAN)));
    EXPECT_EQ(value(single, brain, 0.1F), 0.10009765625);
    EXPECT_EQ(value(single, brain, 3.4e38F), INFINITY);
    EXPECT_EQ(value(whole, half, 4097), 4096);
    EXPECT_EQ(at(*read_onnx(cast_model(single, half), options), {0.1}, {1}).gradient[0], 1.0);
  }
  EXPECT_EQ(value(whole, single, 16777217), 16777216);
  EXPECT_EQ(value(whole, wide, 16777217), 16777217);
}

TEST(OnnxDouble, other_files_are_refused) {
  const auto trees = read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_regression.ubj");
  EXPECT_THROW((void)open_model(trees, Precision::float64), Error);
  EXPECT_NO_THROW((void)open_model(trees, Precision::float32));
}

}  // namespace
}  // namespace scfe
