// A large offset, for example of a date, must be subtracted before any product, as in other runtimes.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

test::Proto tensor(const std::string& name, const std::vector<std::uint64_t>& shape,
                   const std::vector<float>& values) {
  test::Proto made;
  for (const std::uint64_t size : shape) made.number(1, size);
  return made.number(2, 1).text(8, name).text(
      9, std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
}

// y = ((x - mean) / spread) W, two features.
std::vector<std::byte> scaled_then_weighed(float mean, float spread, const std::vector<float>& weight) {
  test::Proto graph;
  graph.message(1, test::node("Sub", {"x", "mean"}, {"centred"}))
      .message(1, test::node("Div", {"centred", "spread"}, {"scaled"}))
      .message(1, test::node("MatMul", {"scaled", "weight"}, {"y"}))
      .message(5, tensor("mean", {2}, {mean, 0.5F}))
      .message(5, tensor("spread", {2}, {spread, 2.0F}))
      .message(5, tensor("weight", {2, 2}, weight))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, 2}));
  return test::model(graph).bytes();
}

TEST(LargeOffset, keeps_the_digits_of_a_date) {
  const std::vector<float> weight = {0.7F, -1.1F, 0.3F, 0.9F};
  for (const float mean : {0.0F, 13.0F, 2021.0F, 45306.5F, 20240116.0F}) {
    OnnxOptions options;
    options.scores = "y";
    const auto model = read_onnx(scaled_then_weighed(mean, 8.9F, weight), options);
    test::Rows rows;
    for (int day = -15; day <= 15; ++day) rows.push_back({mean + static_cast<float>(day), 1.5F});
    const test::Run run = test::run_model(*model, rows);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < 2; ++k) {
        const double date = (double{rows[r][0]} - double{mean}) / double{8.9F};
        const double exact = date * double{weight[k]} + 0.5 * double{weight[2 + k]};
        EXPECT_NEAR(run.scores[r][k], exact, 1e-5) << mean << " row " << r;
      }
    EXPECT_NEAR(run.gradient[0][0], (0.7 - 1.1) / 8.9, 1e-5);
    EXPECT_FALSE(model->layers().empty());
  }
}

}  // namespace
}  // namespace scfe
