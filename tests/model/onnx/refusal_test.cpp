// Files that would be read wrongly must be refused, with an error that names the node and what was expected.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstring>

#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"

namespace scfe {
namespace {

using test::integers;
using test::Proto;
using test::refusal;
using test::texts;

Proto integer(const std::string& name, std::int64_t value) {
  return Proto().text(1, name).number(3, static_cast<std::uint64_t>(value)).number(20, 2);
}

Proto constant(const std::string& name, const std::vector<float>& values, bool scalar = false) {
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  Proto tensor;
  if (!scalar) tensor.number(1, values.size());
  return tensor.number(2, 1).text(8, name).text(9, raw);
}

// A graph of one node that reads x, of shape (1, 4) by default.
Proto graph_of(const Proto& node, const std::vector<std::int64_t>& shape = {1, 4}) {
  return Proto().message(1, node).message(11, test::port("x", shape)).message(12, test::port("y", {}));
}
Proto stamped(const Proto& graph, const std::string& domain, std::int64_t version) {
  return Proto().number(1, 8).message(7, graph).message(
      8, Proto().text(1, domain).number(2, static_cast<std::uint64_t>(version)));
}

void expect_refused(const Proto& file, const std::string& words) {
  EXPECT_NE(refusal(file).find(words), std::string::npos) << refusal(file);
}

TEST(OnnxRefusal, the_last_index_at_a_tie) {
  const auto argmax = [](std::int64_t last) {
    return test::model(graph_of(test::node("ArgMax", {"x"}, {"y"})
                                    .message(5, integer("axis", 1))
                                    .message(5, integer("select_last_index", last))));
  };
  EXPECT_EQ(refusal(argmax(0)), "");
  expect_refused(argmax(1), "node 'y' (ArgMax): expected the first index at a tie");
}

// z = 0.4 + 2e-5 x is a logit, but it stays within [0, 1] at the test points: compared with the model's large
// inputs, all of them are close to 0.
TEST(OnnxRefusal, a_logit_of_large_numbers_is_no_probability) {
  const Proto linear = Proto()
                           .message(1, test::node("Mul", {"x", "w"}, {"m"}))
                           .message(1, test::node("Add", {"m", "b"}, {"y"}))
                           .message(5, constant("w", {2e-5F}))
                           .message(5, constant("b", {0.4F}))
                           .message(11, test::port("x", {1, 1}))
                           .message(12, test::port("y", {}));
  EXPECT_FALSE(inspect_onnx(test::model(linear).bytes()).probability);
  const Proto squashed = graph_of(test::node("Sigmoid", {"x"}, {"y"}), {1, 1});
  EXPECT_TRUE(inspect_onnx(test::model(squashed).bytes()).probability);
}

TEST(OnnxRefusal, versions_of_no_operator_set) {
  const Proto graph = graph_of(test::node("Relu", {"x"}, {"y"}));
  for (const std::int64_t good : {7, 17, 22, 30}) EXPECT_EQ(refusal(stamped(graph, "", good)), "") << good;
  for (const std::int64_t bad : {-1, 0, 1, 6, 31, 1000000})
    expect_refused(stamped(graph, "", bad),
                   "operator set ai.onnx: expected a version from 7 to 30, got " + std::to_string(bad));
  expect_refused(stamped(graph, "ai.onnx.ml", 3), "operator set ai.onnx: expected a version, got none");
  // An operator that never changed is accepted in the first version.
  EXPECT_EQ(refusal(stamped(graph_of(test::node("Softplus", {"x"}, {"y"})), "", 1)), "");
  // An old operator set does not matter if no node uses it.
  Proto scaler = test::node("Normalizer", {"x"}, {"y"}).text(7, "ai.onnx.ml");
  const Proto unused = stamped(graph_of(scaler), "ai.onnx.ml", 1);
  EXPECT_EQ(refusal(Proto(unused).message(8, Proto().text(1, "").number(2, 1))), "");
}

// The shape of the output counts, not the shape of the value before its last view.
TEST(OnnxRefusal, final_views) {
  const auto flat = [](const Proto& last) {
    return test::model(graph_of(test::node("Mul", {"x", "two"}, {"m"}), {1, 1, 2, 2})
                           .message(1, last)
                           .message(5, constant("two", {2}, true)));
  };
  EXPECT_EQ(refusal(flat(test::node("Flatten", {"m"}, {"y"}))), "");
  expect_refused(flat(test::node("Identity", {"m"}, {"y"})), "a column for each class");
  expect_refused(flat(test::node("Flatten", {"m"}, {"y"}).message(5, integer("axis", 3))),
                 "a column for each class, got shape (2, 2)");
}

TEST(OnnxRefusal, two_open_axes_of_a_final_reshape) {
  const auto shaped = [](std::int64_t first, bool softmax) {
    std::string raw(16, '\0');
    const std::int64_t shape[] = {first, -1};
    std::memcpy(raw.data(), shape, sizeof shape);
    Proto graph = graph_of(test::node("Mul", {"x", "two"}, {"m"}));
    if (softmax) graph.message(1, test::node("Softmax", {"m"}, {"p"}));
    return test::model(graph.message(1, test::node("Reshape", {softmax ? "p" : "m", "shape"}, {"y"}))
                           .message(5, constant("two", {2}, true))
                           .message(5, Proto().number(1, 2).number(2, 7).text(8, "shape").text(9, raw)));
  };
  for (const bool softmax : {false, true}) {
    EXPECT_EQ(refusal(shaped(1, softmax)), "");
    expect_refused(shaped(-1, softmax), "node 'y' (Reshape): expected at most one -1, got (-1, -1)");
  }
}

TEST(OnnxRefusal, integer_weights_of_real_numbers) {
  for (const char* op : {"MatMul", "Gemm", "Add"}) {
    const Proto tensor =
        Proto().number(1, 4).number(1, 4).number(2, 7).text(8, "w").text(9, std::string(128, '\0'));
    const Proto graph = graph_of(test::node(op, {"x", "w"}, {"y"})).message(5, tensor);
    expect_refused(test::model(graph), "expected operands of one type, got real and integer");
  }
}

struct ListedTrees {
  std::vector<std::int64_t> tree, node, yes, no;
  std::vector<std::string> modes;
};
Proto regressor(const ListedTrees& of) {
  const std::size_t count = of.tree.size();
  Proto trees = test::node("TreeEnsembleRegressor", {"x"}, {"y"}).text(7, "ai.onnx.ml");
  trees.message(5, integers("nodes_treeids", of.tree))
      .message(5, integers("nodes_nodeids", of.node))
      .message(5, integers("nodes_featureids", std::vector<std::int64_t>(count)))
      .message(5, integers("nodes_truenodeids", of.yes))
      .message(5, integers("nodes_falsenodeids", of.no))
      .message(5, texts("nodes_modes", of.modes))
      .message(5, Proto().text(1, "nodes_values").number(20, 6).text(7, std::string(4 * count, '\0')))
      .message(5, integers("target_treeids", {of.tree.back()}))
      .message(5, integers("target_nodeids", {of.node.back()}))
      .message(5, integers("target_ids", {0}))
      .message(5, Proto().text(1, "target_weights").number(20, 6).text(7, std::string(4, '\0')))
      .message(5, integer("n_targets", 1));
  return stamped(graph_of(trees), "ai.onnx.ml", 3);
}

TEST(OnnxRefusal, trees_that_are_none) {
  const std::string leaf = "LEAF", branch = "BRANCH_LEQ";
  const std::string once = "nodes that are reached once from the root of their tree, got node ";
  EXPECT_EQ(refusal(regressor({{0, 0, 0}, {0, 1, 2}, {1, 0, 0}, {2, 0, 0}, {branch, leaf, leaf}})), "");
  // Two trees: a leaf, and a node that is its own child.
  expect_refused(regressor({{0, 1, 1}, {0, 0, 1}, {0, 0, 0}, {0, 1, 0}, {leaf, branch, leaf}}),
                 "a root in each tree, got none in tree 1");
  // A node that is its own child, so that one of the leaves is a root.
  expect_refused(regressor({{7, 7, 7}, {0, 1, 2}, {0, 0, 0}, {2, 0, 0}, {branch, leaf, leaf}}),
                 once + "0 of tree 7 never");
  // A root, and two nodes in a cycle.
  expect_refused(
      regressor({{0, 0, 0, 0}, {0, 1, 2, 3}, {0, 2, 1, 0}, {0, 3, 3, 0}, {leaf, branch, branch, leaf}}),
      once + "1 of tree 0 never");
  // A second root, and a leaf with two parents.
  expect_refused(
      regressor({{0, 0, 0, 0}, {0, 1, 2, 3}, {1, 0, 0, 0}, {2, 0, 0, 0}, {branch, leaf, leaf, leaf}}),
      once + "3 of tree 0 never");
  expect_refused(regressor({{0, 0, 0}, {0, 1, 2}, {1, 2, 0}, {2, 2, 0}, {branch, branch, leaf}}),
                 once + "2 of tree 0 twice");
}

TEST(OnnxRefusal, says_the_bound) {
  const Proto pool = test::node("MaxPool", {"x"}, {"y"})
                         .message(5, integers("kernel_shape", {1, 1}))
                         .message(5, integers("pads", {0, 0, 0, std::int64_t{1} << 40}));
  expect_refused(test::model(graph_of(pool, {1, 1, 2, 2})), "pads from 0 to 16777216, got 1099511627776");
}

Proto resize(float scale) {
  return graph_of(test::node("Resize", {"x", "", "scales"}, {"y"}), {1, 1, 8, 8})
      .message(5, constant("scales", {1, 1, scale, scale}));
}

TEST(OnnxRefusal, scales_and_steps) {
  expect_refused(test::model(resize(1e9F)), "sizes of at most 16777216, got a scale of 1000000000");
  Proto range = graph_of(test::node("Range", {"zero", "one", "zero"}, {"r"}));
  range.message(1, test::node("Add", {"x", "r"}, {"y"}));
  range.message(5, constant("zero", {0}, true)).message(5, constant("one", {1}, true));
  expect_refused(test::model(range), "a step other than 0, got 0");
}

TEST(OnnxRefusal, weights_that_are_no_numbers) {
  const auto weights = [](const std::vector<float>& values) {
    std::string raw(values.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    const Proto tensor = Proto().number(1, 4).number(1, 2).number(2, 1).text(8, "w").text(9, raw);
    return test::model(graph_of(test::node("MatMul", {"x", "w"}, {"y"})).message(5, tensor));
  };
  std::vector<float> values(8, std::nanf(""));
  expect_refused(weights(values), "tensor 'w': expected numbers, got nothing but NaN");
  std::ranges::fill(values, 1.0F);
  EXPECT_EQ(refusal(weights(values)), "");
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY}) {
    values[3] = bad;
    expect_refused(weights(values), "tensor 'w': expected finite weights, got ");
  }
  // A sum with minus infinity masks a value, which is no mistake; a sum with NaN is.
  const auto masked = [](float mask) {
    return test::model(graph_of(test::node("Add", {"x", "m"}, {"h"}))
                           .message(1, test::node("Softmax", {"h"}, {"y"}))
                           .message(5, constant("m", {0, 0, 0, mask})));
  };
  EXPECT_EQ(refusal(masked(-INFINITY)).find("finite weights"), std::string::npos);
  expect_refused(masked(std::nanf("")), "tensor 'm': expected finite weights, got NaN");
  const auto scaled = [](float factor) {
    return test::model(
        graph_of(test::node("Mul", {"x", "m"}, {"y"})).message(5, constant("m", {1, 1, 1, factor})));
  };
  EXPECT_EQ(refusal(scaled(2)), "");
  expect_refused(scaled(INFINITY), "tensor 'm': expected finite weights, got an infinite one");
}

TEST(OnnxRefusal, very_many_nodes) {
  Proto graph;
  graph.message(11, test::port("x", {-1, 1})).message(12, test::port("v140000", {-1, 1}));
  for (int i = 0; i < 140000; ++i)
    graph.message(
        1, test::node("Tanh", {i == 0 ? "x" : "v" + std::to_string(i)}, {"v" + std::to_string(i + 1)}));
  expect_refused(test::model(graph), "at most 131072 nodes");
}

long peak_in_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(OnnxRefusal, sizes_are_judged_before_tables_are_made) {
  const long before = peak_in_kilobytes();
  expect_refused(test::model(resize(1e6F)), "at most 16777216 elements");
  EXPECT_LT(peak_in_kilobytes() - before, 65536);
}

// Each Tile is small, but their combined result is large.
TEST(OnnxRefusal, a_chain_of_tiles) {
  const auto chain = [](std::int64_t repeats, int tiles) {
    std::string raw(16, '\0'), value = "x";
    const std::int64_t each[] = {1, repeats};
    std::memcpy(raw.data(), each, sizeof each);
    Proto graph = Proto().message(11, test::port("x", {1, 4})).message(12, test::port("y", {}));
    graph.message(5, Proto().number(1, 2).number(2, 7).text(8, "each").text(9, raw));
    for (int k = 0; k < tiles; ++k) {
      const std::string next = "t" + std::to_string(k);
      graph.message(1, test::node("Tile", {value, "each"}, {next}));
      value = next;
    }
    return test::model(graph.message(1, test::node("ReduceSum", {value}, {"y"})));
  };
  EXPECT_EQ(refusal(chain(8, 3)), "");
  const long before = peak_in_kilobytes();
  expect_refused(chain(8, 7), "values are not much larger than its inputs and weights");
  expect_refused(chain(1 << 20, 1), "values are not much larger than its inputs and weights");
  EXPECT_LT(peak_in_kilobytes() - before, 32768);
}

TEST(OnnxRefusal, quantised_operators) {
  for (const char* op : {"QuantizeLinear", "DequantizeLinear", "QLinearConv", "QLinearMatMul",
                         "MatMulInteger", "ConvInteger", "DynamicQuantizeLinear"})
    expect_refused(test::model(graph_of(test::node(op, {"x"}, {"y"}))), "quantised: export the float model");
}

}  // namespace
}  // namespace scfe
