// Resize by scales that are not whole numbers; the expected values come from ONNX Runtime.
#include <gtest/gtest.h>

#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

Proto text(const std::string& name, const std::string& value) {
  return Proto().text(1, name).number(20, 3).text(4, value);
}

std::string float_bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

struct Case {
  std::size_t size;
  float scale;
  std::string mode, coordinates, nearest;
  std::vector<float> expected;  // for the image 0, 1, 2 ...
};

std::vector<float> resized(const Case& given, Precision precision) {
  Proto node = test::node("Resize", {"x", "", "s"}, {"y"});
  node.message(5, text("mode", given.mode))
      .message(5, text("coordinate_transformation_mode", given.coordinates));
  if (!given.nearest.empty()) node.message(5, text("nearest_mode", given.nearest));
  Proto graph;
  graph.message(5, Proto().number(1, 3).number(2, 1).text(8, "s").text(9, float_bytes({1, 1, given.scale})));
  graph.message(11, test::port("x", {-1, 1, static_cast<std::int64_t>(given.size)}));
  graph.message(12, test::port("y", {})).message(1, node);
  std::vector<float> x;
  for (std::size_t i = 0; i < given.size; ++i) x.push_back(static_cast<float>(i));
  OnnxOptions options;
  options.precision = precision;
  return test::run_model(*read_onnx(test::model(graph).bytes(), options), {x}).scores[0];
}

TEST(OnnxResize, fractional_scales) {
  const Case cases[] = {
      {5, 1.1F, "nearest", "asymmetric", "floor", {0, 1, 2, 3, 4}},
      {7, 1.7F, "nearest", "asymmetric", "floor", {0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5}},
      {10, 0.7F, "nearest", "half_pixel", "round_prefer_floor", {0, 2, 3, 4, 6, 7, 9}},
      {5, 0.6F, "nearest", "asymmetric", "ceil", {0, 2, 4}},
      {7, 0.2857143F, "nearest", "asymmetric", "round_prefer_ceil", {0, 4}},
      {5, 1.5F, "nearest", "align_corners", "round_prefer_floor", {0, 1, 1, 2, 3, 3, 4}},
      {5, 0.6F, "nearest", "half_pixel_symmetric", "floor", {0, 1, 3}},
      {5, 1.5F, "linear", "align_corners", "", {0, 0.6666667F, 1.333333F, 2, 2.666667F, 3.333333F, 4}},
      {7,
       1.3F,
       "linear",
       "half_pixel",
       "",
       {0, 0.6538461F, 1.423077F, 2.192308F, 2.961539F, 3.730769F, 4.5F, 5.269231F, 6}},
      {5, 0.3F, "linear", "pytorch_half_pixel", "", {0}},
      {5, 1.1F, "linear", "half_pixel", "", {0, 1, 2, 3, 4}},
  };
  for (const Case& given : cases)
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const auto y = resized(given, precision);
      const std::string where = given.mode + " " + given.coordinates + " " + given.nearest + " " +
                                std::to_string(given.size) + " by " + std::to_string(given.scale);
      ASSERT_EQ(y.size(), given.expected.size()) << where;
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(y[i], given.expected[i], 1e-5) << where << " " << i;
    }
}

}  // namespace
}  // namespace scfe
