// Missing values in models with an imputer (fixtures made by experiments/fixtures/onnx_imputer.py). An
// imputer and a forest together are a tree ensemble: the filled-in value decides the branch of a missing
// value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/trees/ensemble.h"
#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

TEST(OnnxImputer, missing_values_go_where_the_filled_value_goes) {
  const auto expected = test::read_json(test::fixture("onnx_imputer/forest.json"));
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    OnnxOptions options;
    options.precision = precision;
    const auto model = read_onnx(test::fixture("onnx_imputer/forest.onnx").string(), options);
    ASSERT_NE(model->ensemble(), nullptr);
    std::size_t missing = 0;
    for (std::size_t r = 0; r < expected["x"].size(); ++r) {
      std::vector<float> x;
      for (const auto& value : expected["x"][r]) {
        x.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN() : value.get<float>());
        missing += value.is_null() ? 1 : 0;
      }
      const auto z = test::run_model(*model, {x}).scores[0];
      const double p = expected["probability"][r];
      ASSERT_EQ(z.size(), 1U);
      EXPECT_NEAR(1 / (1 + std::exp(-z[0])), p, 1e-6) << "row " << r;
    }
    EXPECT_GT(missing, 10U);
  }
}

TEST(OnnxImputer, double_is_kept) {
  const auto expected = test::read_json(test::fixture("onnx_imputer/double.json"));
  OnnxOptions options;
  options.precision = Precision::float64;
  const auto model = read_onnx(test::fixture("onnx_imputer/double.onnx").string(), options);
  const auto tape = model->tape(1);
  double rounding = 0;
  for (std::size_t r = 0; r < expected["x"].size(); ++r) {
    std::vector<double> x, scores(1), gradient(model->features());
    for (const auto& value : expected["x"][r])
      x.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    const double p = expected["probability"][r];
    model->forward_one(x, scores, *tape);
    EXPECT_NEAR(1 / (1 + std::exp(-scores[0])), p, 1e-13) << "row " << r;
    model->backward_one(std::vector{1.0}, gradient, *tape);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(gradient[i] == 0, std::isnan(x[i])) << i;
    const std::vector<float> single(x.begin(), x.end());
    rounding = std::max(
        rounding, std::abs(1 / (1 + std::exp(-double{test::run_model(*model, {single}).scores[0][0]})) - p));
  }
  EXPECT_GT(rounding, 1e-10) << "float would have done";
}

}  // namespace
}  // namespace scfe
