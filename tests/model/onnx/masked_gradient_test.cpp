// If the gradient of the result is 0, the gradient of the operand must be 0, even if the slope is inf or NaN.
#include <gtest/gtest.h>

#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

Proto constant(const std::string& name, float value) {
  return Proto().number(2, 1).text(8, name).text(9, {reinterpret_cast<const char*>(&value), 4});
}

// x -> y by the nodes, with constants 0, 1 and 0.5.
std::vector<float> gradient(const std::vector<Proto>& nodes, float x, Precision precision) {
  Proto graph;
  graph.message(11, test::port("x", {-1, 1})).message(12, test::port("y", {}));
  graph.message(5, constant("0", 0)).message(5, constant("1", 1)).message(5, constant("half", 0.5F));
  for (const Proto& node : nodes) graph.message(1, node);
  OnnxOptions options;
  options.precision = precision;
  options.scores = "y";
  return test::run_model(*read_onnx(test::model(graph).bytes(), options), {{x}}).gradient[0];
}

TEST(OnnxMaskedGradient, a_saturated_sigmoid_written_out) {
  const std::vector<Proto> nodes = {test::node("Neg", {"x"}, {"n"}), test::node("Exp", {"n"}, {"e"}),
                                    test::node("Add", {"e", "1"}, {"d"}),
                                    test::node("Reciprocal", {"d"}, {"y"})};
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    EXPECT_EQ(gradient(nodes, -2000, precision)[0], 0) << name_of(precision);
    EXPECT_NEAR(gradient(nodes, 0, precision)[0], 0.25, 1e-6) << name_of(precision);
  }
}

TEST(OnnxMaskedGradient, branches_not_taken) {
  for (const std::string op : {"Pow", "Div", "Reciprocal", "Log"}) {
    const std::vector<std::string> operands = op == "Pow"   ? std::vector<std::string>{"x", "half"}
                                              : op == "Div" ? std::vector<std::string>{"1", "x"}
                                                            : std::vector<std::string>{"x"};
    const std::vector<Proto> nodes = {test::node("Greater", {"x", "0"}, {"c"}),
                                      test::node(op, operands, {"p"}),
                                      test::node("Where", {"c", "p", "x"}, {"y"})};
    for (const Precision precision : {Precision::float32, Precision::float64})
      for (const float x : {0.0F, -1.0F}) EXPECT_EQ(gradient(nodes, x, precision)[0], 1) << op << " at " << x;
  }
}

}  // namespace
}  // namespace scfe
