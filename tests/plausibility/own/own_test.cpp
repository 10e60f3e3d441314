#include "plausibility/own/own.h"

#include <gtest/gtest.h>

#include <functional>

#include "scfe/error.h"
#include "tests/helper/uniform.h"
#include "tests/plausibility/own_density.h"
#include "tests/plausibility/samples.h"

namespace scfe {
namespace {

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Feature> features_of_every_kind() {
  std::vector<Feature> features(5);
  features[1].kind = Kind::categorical;
  features[1].levels = {"a", "b", "c"};
  features[2].kind = Kind::binary;
  features[3].kind = Kind::categorical;
  features[3].levels = {"w", "x", "y", "z"};
  features[3].encoding = Encoding::code;
  return features;
}

// Inputs are number, 3 levels, binary, code, number.
TEST(InputMap, is_that_of_the_work_space) {
  const Scaling scaling{{10, 0, 0, 0, 0, 0, -3}, {4, 1, 1, 1, 1, 1, 0.5}};
  const Space space(features_of_every_kind(), scaling, std::vector<double>(7, 1.0));
  ASSERT_EQ(space.columns(), 11U);
  const InputMap map = InputMap::of(space);
  Block u(11, 20), x(7, 20), expected(7, 20), slope(7, 20), gradient(11, 20), pulled(11, 20);
  test::Uniform random(3);
  for (std::size_t lane = 0; lane < 20; ++lane) {
    for (std::size_t j = 0; j < 11; ++j) u[j][lane] = static_cast<float>(random(0, 1));
    for (std::size_t i = 0; i < 7; ++i) slope[i][lane] = static_cast<float>(random(-1, 1));
  }
  map.decode(u, x);
  space.decode(u, expected);
  map.pull_back(slope, gradient);
  space.pull_back(slope, pulled);
  for (std::size_t lane = 0; lane < 20; ++lane) {
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(x[i][lane], expected[i][lane], 1e-5) << i;
    for (std::size_t j = 0; j < 11; ++j) EXPECT_EQ(gradient[j][lane], pulled[j][lane]) << j;
  }
}

TEST(Own, each_class_has_its_column) {
  const test::Bell left{{0.2F, 0.3F}, {4, 4}}, right{{0.8F, 0.6F}, {9, 1}};
  const DensityModel both = density_model_of(test::bells_onnx({left, right}), "both.onnx");
  const Matrix rows = test::clusters(50, 2, 3), points = test::spread_points(rows, 30, 0.1, 4);
  const std::vector<test::Bell> bells{left, right};
  for (std::size_t k = 0; k < 2; ++k) {
    const DensityModel alone = density_model_of(test::bells_onnx({bells[k]}), "one.onnx");
    DensityOptions of_both, of_one;
    of_both.own = &both;
    of_both.own_score = k;
    of_one.own = &alone;
    const FittedDensity a = fit_own(rows, of_both), b = fit_own(rows, of_one);
    EXPECT_EQ(a.held_out, b.held_out);
    const test::Evaluated one = test::evaluate(*a.density, points, Matrix(30, 2)),
                          two = test::evaluate(*b.density, points, Matrix(30, 2));
    EXPECT_EQ(one.value, two.value);
    EXPECT_EQ(one.gradient.values, two.gradient.values);
    for (std::size_t i = 0; i < points.rows; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        EXPECT_NEAR(one.gradient[i][j], bells[k].precision[j] * (bells[k].centre[j] - points[i][j]), 1e-4);
  }
}

// The curvature of draws from a Gaussian is its precision, of which the largest tenth of the squares is
// missing.
TEST(Own, the_estimated_curvature_is_near_that_of_the_density) {
  const Matrix rows = test::clusters(2000, 3, 5);
  const test::Bell bell = test::bell_of(rows);
  const DensityModel model = density_model_of(test::bells_onnx({bell}), "bell.onnx");
  DensityOptions options;
  options.own = &model;
  const std::vector<int> support{0, 1, 2};
  std::vector<double> kappa(3);
  const FittedDensity fitted = fit_own(rows, options);
  fitted.density->curvature({}, support, kappa);
  EXPECT_FALSE(fitted.density->has_curvature_bound());
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_GT(kappa[j], 0.4 * bell.precision[j]);
    EXPECT_LT(kappa[j], 1.2 * bell.precision[j]);
  }
}

TEST(Own, a_row_that_is_not_finite_is_named) {
  // log q = log(x_0): of a row with x_0 < 0 it is NaN, and at 0 it is not finite.
  const std::string log = test::bytes_of(test::model(test::Proto()
                                                         .message(1, test::node("Log", {"x"}, {"log_q"}))
                                                         .message(11, test::port("x", {-1, 1}))
                                                         .message(12, test::port("log_q", {-1, 1}))));
  const DensityModel model = density_model_of(log, "log.onnx");
  DensityOptions options;
  options.own = &model;
  Matrix rows(4, 1);
  rows.values = {0.5, 0.7, -1, 0.2};
  EXPECT_EQ(message_of([&] { fit_own(rows, options); }),
            "log.onnx: training row 3: expected a finite log-density, got nan");
  const std::vector<std::size_t> places{4, 6, 19, 40};
  options.places = places;
  EXPECT_EQ(message_of([&] { fit_own(rows, options); }),
            "log.onnx: training row 20: expected a finite log-density, got nan");
  rows.values[2] = 0;
  EXPECT_EQ(message_of([&] { fit_own(rows, options); }),
            "log.onnx: training row 20: expected a finite log-density, got -inf");
}

TEST(Own, files_that_cannot_serve_are_refused_by_name) {
  using test::node;
  using test::port;
  const auto refusal = [](const test::Proto& graph) {
    return message_of([&] { density_model_of(test::bytes_of(test::model(graph)), "d.onnx"); });
  };
  const auto graph = [] {
    return test::Proto().message(11, port("x", {-1, 3})).message(12, port("log_q", {-1, 3}));
  };
  EXPECT_EQ(
      refusal(graph().message(1, node("Tanh", {"x"}, {"log_q"})).message(12, port("x", {-1, 3}))),
      "d.onnx: outputs: expected one, the log-density (a column, or one for each class), got 2: 'log_q', "
      "'x'");
  const std::string flat = refusal(graph().message(1, node("Floor", {"x"}, {"log_q"}))),
                    unknown = refusal(graph().message(1, node("RandomNormalLike", {"x"}, {"log_q"}))),
                    constant = refusal(graph()
                                           .message(1, node("Tanh", {"c"}, {"log_q"}))
                                           .message(5, test::matrix("c", 1, 3, {1, 2, 3})));
  EXPECT_TRUE(flat.starts_with("d.onnx: a log-density with a gradient is needed, which stops at")) << flat;
  EXPECT_NE(flat.find("Floor"), std::string::npos) << flat;
  EXPECT_TRUE(unknown.starts_with("d.onnx: ")) << unknown;
  EXPECT_NE(unknown.find("RandomNormalLike"), std::string::npos) << unknown;
  EXPECT_NE(constant.find("does not depend on"), std::string::npos) << constant;
  EXPECT_TRUE(message_of([] { density_model_of("not a model", "d.onnx"); }).starts_with("d.onnx: "));
  EXPECT_TRUE(message_of([] { read_density_model("/nowhere/d.onnx"); }).find("/nowhere/d.onnx") == 0);
}

// Unlike a classifier's, the output is taken as it is: a final Sigmoid stays.
TEST(Own, the_output_is_taken_as_it_is) {
  const DensityModel model =
      density_model_of(test::bytes_of(test::model(test::Proto()
                                                      .message(1, test::node("Sigmoid", {"x"}, {"log_q"}))
                                                      .message(11, test::port("x", {-1, 1}))
                                                      .message(12, test::port("log_q", {-1, 1})))),
                       "sigmoid.onnx");
  DensityOptions options;
  options.own = &model;
  const FittedDensity fitted = fit_own(Matrix(1, 1), options);
  EXPECT_EQ(fitted.held_out, std::vector<double>{0.5});
  EXPECT_EQ(fitted.summary, "own: sigmoid.onnx, " + std::to_string(model.onnx.size()) +
                                " bytes, of the work space; floors from 1 row");
}

}  // namespace
}  // namespace scfe
