// A forest behind an imputer and a scaler is a tree ensemble: what is filled in decides where a missing value
// goes (fixture made by experiments/fixtures/onnx_imputer.py).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/ensemble.h"
#include "tests/onnx/fixtures.h"
#include "tests/onnx/run_model.h"

namespace scfe {
namespace {

TEST(OnnxImputer, missing_values_go_where_the_filled_value_goes) {
  const auto expected = test::read_json(test::fixture("onnx_imputer/forest.json"));
  for (const std::string precision : {"float", "double"}) {
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

}  // namespace
}  // namespace scfe
