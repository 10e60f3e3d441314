// Pools whose kernel is larger than the image: with ceil_mode there is still an output, computed from the
// pixels inside the window.
#include <gtest/gtest.h>

#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

Proto sizes_attribute(const std::string& name, const std::vector<std::uint64_t>& values) {
  Proto attribute = Proto().text(1, name).number(20, 7);
  for (const std::uint64_t value : values) attribute.number(8, value);
  return attribute;
}

// A window of 3x3 that moves by `stride`, over an image of 2x2.
std::vector<std::byte> pool(const std::string& op, std::uint64_t stride, std::uint64_t ceil) {
  Proto node = test::node(op, {"x"}, {"y"});
  node.message(5, sizes_attribute("kernel_shape", {3, 3}))
      .message(5, sizes_attribute("strides", {stride, stride}));
  node.message(5, Proto().text(1, "ceil_mode").number(20, 2).number(3, ceil));
  Proto graph;
  graph.message(11, test::port("x", {-1, 1, 2, 2})).message(12, test::port("y", {})).message(1, node);
  return test::model(graph).bytes();
}

TEST(OnnxPool, kernels_larger_than_the_image) {
  const auto largest = test::run_model(*read_onnx(pool("MaxPool", 2, 1)), {{1, 7, 3, 5}});
  EXPECT_EQ(largest.scores[0], (std::vector<float>{7}));
  EXPECT_EQ(largest.gradient[0], (std::vector<float>{0, 1, 0, 0}));
  const auto mean = test::run_model(*read_onnx(pool("AveragePool", 2, 1)), {{1, 7, 3, 5}});
  EXPECT_EQ(mean.scores[0], (std::vector<float>{4}));
  EXPECT_EQ(mean.gradient[0], (std::vector<float>(4, 0.25F)));
  for (const std::string op : {"MaxPool", "AveragePool"}) {
    EXPECT_THROW((void)read_onnx(pool(op, 2, 0)), Error) << "sizes are rounded down";
    EXPECT_THROW((void)read_onnx(pool(op, 1, 1)), Error) << "no output either";
  }
}

}  // namespace
}  // namespace scfe
