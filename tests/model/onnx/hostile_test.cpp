// Broken and hostile files must give an Error or a model, never a crash, a hang or a large allocation.
#include <gtest/gtest.h>

#include <random>

#include "scfe/error.h"
#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;
using test::refusal;

// Reads the file and runs the model if it is not too large.
void survive(std::span<const std::byte> file, const OnnxOptions& options = {}) {
  try {
    (void)inspect_onnx(file, options);
    const auto model = read_onnx(file, options);
    if (model->features() > 100000) return;
    (void)test::run_model(*model, test::Rows(1, std::vector<float>(model->features(), 0.5F)));
  } catch (const Error&) {
    return;
  }
}

TEST(OnnxHostile, truncated_files) {
  for (const test::NodeCase& node : test::node_cases())
    for (std::size_t size = 0; size < node.model.size(); size += 1 + node.model.size() / 40)
      survive({node.model.data(), size}, node.options);
  for (const std::string& name : test::exported_models()) {
    const auto file = test::read_bytes(test::fixture("onnx/" + name + ".onnx"));
    for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 60) survive({file.data(), size});
  }
}

TEST(OnnxHostile, flipped_bits) {
  std::mt19937_64 random(7);
  const auto flip = [&](std::vector<std::byte> file, const OnnxOptions& options, int times) {
    for (int i = 0; i < times; ++i) {
      auto broken = file;
      for (int k = 0; k < 1 + i % 3; ++k)
        broken[random() % broken.size()] ^= static_cast<std::byte>(1U << (random() % 8));
      survive(broken, options);
    }
  };
  for (const test::NodeCase& node : test::node_cases()) flip(node.model, node.options, 30);
  for (const std::string& name : test::exported_models())
    flip(test::read_bytes(test::fixture("onnx/" + name + ".onnx")), {}, 60);
}

TEST(OnnxHostile, random_bytes) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> file(random() % 200);
    for (std::byte& byte : file) byte = static_cast<std::byte>(random());
    survive(file);
  }
}

TEST(OnnxHostile, a_billion_elements_declared_in_a_hundred_bytes) {
  Proto graph;
  graph.message(5, Proto().number(1, 1000000000).number(2, 1).text(8, "w").text(9, "abcd"));
  graph.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  graph.message(1, test::node("Add", {"x", "w"}, {"y"}));
  EXPECT_NE(refusal(test::model(graph)).find("tensor 'w'"), std::string::npos);
  EXPECT_LT(test::model(graph).bytes().size(), 120U);
}

TEST(OnnxHostile, sizes_that_overflow) {
  Proto graph;
  Proto tensor;
  for (int i = 0; i < 5; ++i) tensor.number(1, std::uint64_t{1} << 62U);
  graph.message(5, tensor.number(2, 1).text(8, "w").text(9, ""));
  graph.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  graph.message(1, test::node("Add", {"x", "w"}, {"y"}));
  EXPECT_NE(refusal(test::model(graph)), "");
}

TEST(OnnxHostile, shapes_computed_to_be_huge) {
  Proto graph;
  graph.message(5, Proto().number(1, 2).number(2, 7).text(8, "s").number(7, 1U << 20U).number(7, 1U << 20U));
  graph.message(11, test::port("x", {1, 1})).message(12, test::port("y", {}));
  graph.message(1, test::node("Expand", {"x", "s"}, {"y"}));
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("(Expand)"), std::string::npos) << what;
}

// Each node alone is within the limits.
TEST(OnnxHostile, many_nodes_that_are_large_together) {
  Proto graph;
  graph.message(5, Proto().number(1, 2).number(2, 7).text(8, "s").number(7, 1).number(7, 1U << 20U));
  graph.message(11, test::port("x", {1, 1})).message(12, test::port("y", {}));
  graph.message(1, test::node("Expand", {"x", "s"}, {"v0"}));
  for (int i = 0; i < 300; ++i)
    graph.message(1, test::node("Sin", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)}));
  graph.message(1, test::node("Relu", {"v300"}, {"y"}));
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("not much larger"), std::string::npos) << what;
}

TEST(OnnxHostile, many_constants_that_are_large_together) {
  Proto graph;
  graph.message(5, Proto().number(1, 1).number(2, 7).text(8, "s").number(7, 1U << 22U));
  graph.message(11, test::port("x", {1, 1})).message(12, test::port("y", {}));
  std::vector<std::string> all = {"x"};
  for (int i = 0; i < 300; ++i) {
    all.push_back("c" + std::to_string(i));
    graph.message(1, test::node("ConstantOfShape", {"s"}, {all.back()}));
  }
  graph.message(1, test::node("Sum", all, {"y"}));
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("not much larger"), std::string::npos) << what;
}

// The file holds the weights once, but each node would have its own copy.
TEST(OnnxHostile, one_tensor_for_many_nodes) {
  constexpr std::uint64_t size = 64;
  Proto graph;
  graph.message(5, Proto().number(1, size).number(1, size).number(2, 1).text(8, "w").text(
                       9, std::string(4 * size * size, '\0')));
  graph.message(11, test::port("x", {1, size})).message(12, test::port("v9000", {}));
  for (int i = 0; i < 9000; ++i) {
    const std::string next = "v" + std::to_string(i + 1), sum = "m" + std::to_string(i);
    graph.message(1, test::node("MatMul", {i == 0 ? "x" : "v" + std::to_string(i), "w"}, {sum}));
    graph.message(1, test::node("Tanh", {sum}, {next}));
  }
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("not much larger"), std::string::npos) << what;
}

// Sorting, merging and laying out must not take time quadratic in the number of nodes.
TEST(OnnxHostile, a_hundred_thousand_nodes) {
  Proto graph;
  graph.message(11, test::port("x", {1, 1})).message(12, test::port("y", {}));
  constexpr int count = 100000;
  std::string last = "x";
  for (int i = 0; i < count; ++i) {
    const std::string next = i + 1 < count ? "v" + std::to_string(i) : "y";
    graph.message(1, test::node(i % 2 ? "Relu" : "Sin", {last}, {next}));
    last = next;
  }
  EXPECT_EQ(refusal(test::model(graph)), "");
}

// The path back from each output is as long as the graph.
TEST(OnnxHostile, many_outputs_of_a_long_chain) {
  Proto graph;
  graph.message(11, test::port("x", {1, 4}));
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    graph.message(
        1, test::node("Identity", {i == 0 ? "x" : "v" + std::to_string(i)}, {"v" + std::to_string(i + 1)}));
    graph.message(12, test::port("v" + std::to_string(count), {}));
  }
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("20000 outputs"), std::string::npos) << what;
  OnnxOptions named;
  named.scores = "v3";
  EXPECT_EQ(read_onnx(test::model(graph).bytes(), named)->scores(), 4U);
}

TEST(OnnxHostile, a_long_equation) {
  for (const std::string& equation :
       {std::string(300000, 'a'), "ab->" + std::string(300000, 'a'), std::string(56, 'a')}) {
    Proto graph;
    graph.message(11, test::port("x", {1, 4})).message(12, test::port("y", {}));
    graph.message(1, test::node("Einsum", {"x"}, {"y"})
                         .message(5, Proto().text(1, "equation").number(20, 3).text(4, equation)));
    const std::string what = refusal(test::model(graph));
    EXPECT_NE(what.find("(Einsum): expected at most 52 letters"), std::string::npos) << what;
  }
}

TEST(OnnxHostile, inputs_declared_to_be_huge) {
  Proto graph;
  graph.message(11, test::port("x", {1, 1 << 23})).message(12, test::port("y", {}));
  graph.message(1, test::node("Relu", {"x"}, {"y"}));
  EXPECT_NE(refusal(test::model(graph)), "");
}

TEST(OnnxHostile, cycles_and_unknown_values) {
  Proto cycle;
  cycle.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  cycle.message(1, test::node("Add", {"x", "b"}, {"a"})).message(1, test::node("Relu", {"a"}, {"b"}));
  cycle.message(1, test::node("Relu", {"b"}, {"y"}));
  EXPECT_NE(refusal(test::model(cycle)).find("cycle"), std::string::npos);

  Proto unknown;
  unknown.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  unknown.message(1, test::node("Add", {"x", "nobody"}, {"y"}));
  EXPECT_NE(refusal(test::model(unknown)).find("'nobody'"), std::string::npos);
}

TEST(OnnxHostile, unsupported_operators_are_named) {
  for (const std::string op : {"Loop", "NoSuchOperator"}) {
    Proto graph;
    graph.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
    graph.message(1, test::node(op, {"x"}, {"y"}));
    const std::string what = refusal(test::model(graph));
    EXPECT_NE(what.find("node 'y' (" + op + ")"), std::string::npos) << what;
    const OnnxInfo info = inspect_onnx(test::model(graph).bytes());
    ASSERT_EQ(info.unsupported.size(), 1U);
    EXPECT_EQ(info.unsupported[0], what);
  }
}

TEST(OnnxHostile, names_with_line_breaks_stay_on_one_line) {
  Proto graph;
  graph.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  graph.message(1, test::node("Loop", {"x"}, {"y"}).text(3, "a\nb\x1b[31m"));
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("node 'a b [31m' (Loop)"), std::string::npos) << what;
}

TEST(OnnxHostile, real_numbers_as_indices) {
  Proto graph;
  graph.message(5, Proto().number(1, 1).number(2, 1).text(8, "i").text(9, std::string(4, '\0')));
  graph.message(11, test::port("x", {1, 2})).message(12, test::port("y", {}));
  graph.message(1, test::node("Gather", {"x", "i"}, {"y"}));
  const std::string what = refusal(test::model(graph));
  EXPECT_NE(what.find("(Gather): expected integers as indices"), std::string::npos) << what;
}

TEST(OnnxHostile, dynamic_and_fixed_batches) {
  const auto with_input = [](std::vector<std::int64_t> shape) {
    Proto graph;
    graph.message(11, test::port("x", std::move(shape))).message(12, test::port("y", {}));
    graph.message(1, test::node("Relu", {"x"}, {"y"}));
    return refusal(test::model(graph));
  };
  EXPECT_EQ(with_input({-1, 3}), "");
  EXPECT_EQ(with_input({1, 3}), "");
  EXPECT_NE(with_input({-1, -1}).find("dynamic axis 1"), std::string::npos);
  EXPECT_NE(with_input({8, 3}).find("fixed batch of 8"), std::string::npos);
}

}  // namespace
}  // namespace scfe
