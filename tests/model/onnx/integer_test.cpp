// Integers that the precision cannot represent must be an error and never rounded silently; means of integers
// are whole numbers.
#include <gtest/gtest.h>

#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

constexpr std::uint64_t single = 1, int64 = 7;

Proto integer_constant(const std::string& name, std::uint64_t value) {
  return Proto().number(2, int64).text(8, name).number(7, value);
}

Proto cast(const std::string& from, const std::string& to, std::uint64_t type) {
  return test::node("Cast", {from}, {to}).message(5, Proto().text(1, "to").number(20, 2).number(3, type));
}

OnnxOptions options(Precision precision) {
  OnnxOptions result;
  result.precision = precision;
  result.scores = "y";
  return result;
}

Proto graph_of(const std::vector<Proto>& constants, const std::vector<Proto>& nodes) {
  Proto graph;
  graph.message(11, test::port("x", {-1, 4})).message(12, test::port("y", {}));
  for (const Proto& constant : constants) graph.message(5, constant);
  for (const Proto& node : nodes) graph.message(1, node);
  return test::model(graph);
}

std::string float_refusal(const Proto& model) { return test::refusal(model, options(Precision::float32)); }

TEST(OnnxInteger, constants_beyond_the_precision) {
  const std::vector<Proto> nodes = {cast("x", "i", int64), test::node("Sub", {"i", "c"}, {"q"}),
                                    cast("q", "y", single)};
  EXPECT_EQ(float_refusal(graph_of({integer_constant("c", 1U << 24U)}, nodes)), "");
  for (const std::uint64_t value : {(1U << 25U) + 1, 1U << 25U}) {
    const Proto model = graph_of({integer_constant("c", value)}, nodes);
    EXPECT_NE(float_refusal(model).find("node 'q' (Sub): expected integers of at most 24 bits"),
              std::string::npos)
        << float_refusal(model);
    EXPECT_NO_THROW((void)read_onnx(model.bytes(), options(Precision::float64)));
  }
}

TEST(OnnxInteger, folded_beyond_the_precision) {
  const Proto model = graph_of(
      {integer_constant("a", 4097), integer_constant("b", 4099)},
      {test::node("Mul", {"a", "b"}, {"p"}), cast("p", "f", single), test::node("Add", {"x", "f"}, {"y"})});
  EXPECT_NE(float_refusal(model).find("node 'p' (Mul): expected integers that a float holds"),
            std::string::npos)
      << float_refusal(model);
  EXPECT_NO_THROW((void)read_onnx(model.bytes(), options(Precision::float64)));
}

TEST(OnnxInteger, unsigned_beyond_the_range) {
  const auto with = [](std::uint64_t value) {
    return graph_of({Proto().number(2, 13).text(8, "c").number(11, value)},
                    {cast("c", "f", single), test::node("Add", {"x", "f"}, {"y"})});
  };
  EXPECT_EQ(float_refusal(with(5)), "");
  EXPECT_NE(float_refusal(with((std::uint64_t{1} << 63U) + 5)).find("below 2^63"), std::string::npos);
}

TEST(OnnxInteger, stay_integers) {
  const Proto level = test::node("Gather", {"i", "first"}, {"one"})
                          .message(5, Proto().text(1, "axis").number(20, 2).number(3, 1));
  const Proto values = Proto().number(1, 2).number(2, int64).text(8, "values").number(7, 0).number(7, 5);
  const std::vector<Proto> constants = {integer_constant("depth", 4), integer_constant("first", 0),
                                        integer_constant("two", 2), values};
  const auto scores = [&](const std::vector<Proto>& makes_m) {
    std::vector<Proto> nodes = {cast("x", "i", int64), level};
    nodes.insert(nodes.end(), makes_m.begin(), makes_m.end());
    nodes.push_back(test::node("Add", {"m", "two"}, {"a"}));
    nodes.push_back(cast("a", "y", single));
    return test::run_model(*read_onnx(graph_of(constants, nodes).bytes(), options(Precision::float32)),
                           {{2, -3, 4, 0}})
        .scores;
  };
  EXPECT_EQ(scores({test::node("OneHot", {"one", "depth", "values"}, {"m"})}), (test::Rows{{2, 2, 7, 2}}));
  EXPECT_EQ(scores({test::node("EyeLike", {"i"}, {"m"})}), (test::Rows{{3, 2, 2, 2}}));
  EXPECT_EQ(scores({cast("i", "s", 6), test::node("Relu", {"s"}, {"m"})}), (test::Rows{{4, 2, 6, 2}}));
}

// Inputs are rounded to the type that the file declares, as in other runtimes.
TEST(OnnxInteger, inputs_in_half_are_rounded_to_it) {
  for (const auto& [type, expected] : {std::pair{std::uint64_t{10}, 2050.0F}, {std::uint64_t{16}, 2048.0F}})
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      Proto graph;
      graph.message(11, test::port("x", {-1, 1}, type)).message(12, test::port("y", {-1, 1}));
      graph.message(1, cast("x", "y", single));
      const Proto file = test::model(graph);
      const auto run = test::run_model(*read_onnx(file.bytes(), options(precision)), {{2049.25F}});
      EXPECT_EQ(run.scores, (test::Rows{{expected}}));
      EXPECT_EQ(run.gradient, (test::Rows{{1}}));
      EXPECT_EQ(inspect_onnx(file.bytes(), options(precision)).inputs.at(0).type, "half");
    }
}

TEST(OnnxInteger, means_are_whole) {
  Proto mean = test::node("ReduceMean", {"i"}, {"m"});
  mean.message(5, Proto().text(1, "axes").number(20, 7).number(8, 1));
  const Proto model = graph_of({}, {cast("x", "i", int64), mean, cast("m", "y", single)});
  const auto run = test::run_model(*read_onnx(model.bytes(), options(Precision::float32)),
                                   {{1, 2, 2, 2}, {-1, -2, -2, -2}, {1, 1, 1, 1}});
  EXPECT_EQ(run.scores, (test::Rows{{1}, {-1}, {1}}));
}

}  // namespace
}  // namespace scfe
