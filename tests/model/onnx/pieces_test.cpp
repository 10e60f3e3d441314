// Preprocessing before trees and linear scores is looked through: the ensemble has the scores of the plan,
// bit for bit, at every kind of input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/additive.h"
#include "model/trees/ensemble.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::node;
using test::port;
using test::Proto;
using test::texts;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t type_float = 1, type_int = 7, type_text = 8;

std::string raw(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}
Proto reals(const std::string& name, const std::vector<float>& values) {
  return Proto().text(1, name).text(7, raw(values)).number(20, 6);
}
Proto counts(const std::string& name, const std::vector<std::uint64_t>& values) {
  return test::integers(name, {values.begin(), values.end()});
}
Proto ml(Proto node, const std::vector<Proto>& attributes) {
  for (const Proto& attribute : attributes) node.message(5, attribute);
  return node.text(7, "ai.onnx.ml");
}
Proto cast_node(const std::string& from, const std::string& to, std::uint64_t type) {
  return node("Cast", {from}, {to}).message(5, Proto().text(1, "to").number(3, type).number(20, 2));
}
Proto concat(const std::vector<std::string>& from, const std::string& to) {
  return node("Concat", from, {to}).message(5, Proto().text(1, "axis").number(3, 1).number(20, 2));
}

// For each threshold a tree with one split on a column: 2^k if the value is above it. The score tells which
// splits hold.
struct Stump {
  std::uint64_t column;
  float threshold;
  bool missing_is_true = false;
};
Proto stumps(const std::string& from, const std::vector<Stump>& list) {
  std::vector<std::uint64_t> trees, nodes, features, yes, no, gone, leaf_trees, leaf_nodes, targets;
  std::vector<float> values, weights;
  std::vector<std::string> modes;
  for (std::size_t t = 0; t < list.size(); ++t) {
    for (const std::uint64_t n : {0U, 1U, 2U}) {
      trees.push_back(t), nodes.push_back(n), yes.push_back(n == 0 ? 1 : 0), no.push_back(n == 0 ? 2 : 0);
      features.push_back(n == 0 ? list[t].column : 0), values.push_back(n == 0 ? list[t].threshold : 0.0F);
      modes.emplace_back(n == 0 ? "BRANCH_LEQ" : "LEAF");
      gone.push_back(n == 0 && list[t].missing_is_true ? 1 : 0);
    }
    for (const std::uint64_t n : {1U, 2U}) {
      leaf_trees.push_back(t), leaf_nodes.push_back(n), targets.push_back(0);
      weights.push_back(n == 2 ? std::ldexp(1.0F, static_cast<int>(t)) : -0.5F);
    }
  }
  return ml(node("TreeEnsembleRegressor", {from}, {"y"}),
            {counts("nodes_treeids", trees), counts("nodes_nodeids", nodes),
             counts("nodes_featureids", features), counts("nodes_truenodeids", yes),
             counts("nodes_falsenodeids", no), counts("nodes_missing_value_tracks_true", gone),
             texts("nodes_modes", modes), reals("nodes_values", values), counts("target_treeids", leaf_trees),
             counts("target_nodeids", leaf_nodes), counts("target_ids", targets),
             reals("target_weights", weights), Proto().text(1, "n_targets").number(3, 1).number(20, 2)});
}

struct Input {
  std::string name;
  std::uint64_t type = type_float;
};
Proto file(const std::vector<Input>& inputs, const std::vector<Proto>& nodes,
           const std::vector<Proto>& constants = {}) {
  Proto graph;
  for (const Proto& one : nodes) graph.message(1, one);
  for (const Proto& one : constants) graph.message(5, one);
  for (const Input& input : inputs) graph.message(11, port(input.name, {-1, 1}, input.type));
  graph.message(12, port("y", {-1, 1}));
  return test::model(graph).message(8, Proto().text(1, "ai.onnx.ml").number(2, 3));
}

// The file is read as an ensemble whose scores are those of the plan at all combinations of the values.
const Ensemble* expect_ensemble(const Proto& file, const std::vector<std::vector<float>>& values) {
  const Ensemble* ensemble = nullptr;
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    OnnxOptions options;
    options.precision = precision;
    EXPECT_EQ(inspect_onnx(file.bytes(), options).tree_obstacle, "");
    static std::shared_ptr<const Model> model;
    model = read_onnx(file.bytes(), options);
    options.scores = "y";
    const auto plan = read_onnx(file.bytes(), options);
    EXPECT_EQ(plan->ensemble(), nullptr);
    ensemble = model->ensemble();
    EXPECT_NE(ensemble, nullptr);
    test::Rows rows(1);
    for (const std::vector<float>& column : values) {
      test::Rows longer;
      for (const std::vector<float>& row : rows)
        for (const float value : column) {
          longer.push_back(row);
          longer.back().push_back(value);
        }
      rows = longer;
    }
    const test::Rows ours = test::run_model(*model, rows).scores, own = test::run_model(*plan, rows).scores;
    for (std::size_t r = 0; r < rows.size(); ++r)
      EXPECT_EQ(ours[r][0], own[r][0]) << "row " << r << ", first value " << rows[r][0];
  }
  return ensemble;
}

Proto lookup(const std::string& from, const std::string& to) {
  return ml(node("LabelEncoder", {from}, {to}),
            {texts("keys_strings", {"a", "b", "c", "d", "e"}), counts("values_int64s", {3, 0, 2, 4, 1}),
             Proto().text(1, "default_int64").number(3, static_cast<std::uint64_t>(-1)).number(20, 2)});
}

TEST(OnnxPieces, looked_up_text_becomes_sets_of_levels) {
  const Ensemble* ensemble = expect_ensemble(
      file({{"x", type_text}, {"z"}},
           {lookup("x", "code"), cast_node("code", "real", type_float), concat({"real", "z"}, "all"),
            stumps("all", {{0, -0.5F}, {0, 0.5F}, {0, 1.5F}, {0, 2.5F}, {1, 0.25F}, {0, 9.0F}})}),
      {{-1, 0, 1, 2, 3, 4, 5, 17}, {-1, 0.25F, 0.5F, missing}});
  ASSERT_NE(ensemble, nullptr);
  std::size_t sets = 0;
  for (const Ensemble::Node& split : ensemble->nodes) sets += split.split == Ensemble::Split::codes ? 1 : 0;
  EXPECT_EQ(sets, 4U);  // the other two compare a number, or nothing
}

TEST(OnnxPieces, scaled_codes_and_numbers_that_are_one_hot) {
  const Proto one_hot =
      ml(node("OneHotEncoder", {"whole"}, {"hot"}),
         {counts("cats_int64s", {0, 2, 3}), Proto().text(1, "zeros").number(3, 1).number(20, 2)});
  expect_ensemble(
      file({{"x"}, {"n", type_int}},
           {cast_node("x", "whole", type_int), one_hot, node("Reshape", {"hot", "shape"}, {"flat"}),
            cast_node("n", "real", type_float), node("Sub", {"real", "mean"}, {"centred"}),
            node("Div", {"centred", "mean"}, {"scaled"}), concat({"flat", "scaled"}, "all"),
            stumps("all", {{0, 0.5F}, {1, 0.5F}, {2, 0.1F}, {3, 0.0F}, {3, 1.0F}})},
           {test::matrix("mean", 1, 1, {3.7F}),
            Proto()
                .number(1, 2)
                .number(2, 7)
                .text(8, "shape")
                .text(9, std::string("\xff\xff\xff\xff\xff\xff\xff\xff\x03\0\0\0\0\0\0\0", 16))}),
      {{-1, -0.5F, 0, 0.99F, 1, 2, 2.999999F, 3, 3.5F, 4}, {-1, 0, 3, 4, 7, 8, 9}});
}

TEST(OnnxPieces, bins_clips_and_marks_of_missing_values) {
  const Proto less = node("Less", {"x", "edges"}, {"below"});
  const Proto bin =
      node("ArgMax", {"steps"}, {"bin"}).message(5, Proto().text(1, "axis").number(3, 1).number(20, 2));
  expect_ensemble(
      file({{"z"}, {"x"}},
           {less, cast_node("below", "below_real", type_float), node("Mul", {"z", "zero"}, {"nothing"}),
            node("Add", {"nothing", "one"}, {"last"}), concat({"below_real", "last"}, "steps"), bin,
            cast_node("bin", "bin_real", type_float), node("IsNaN", {"z"}, {"gone"}),
            cast_node("gone", "mark", type_float), node("Where", {"gone", "one", "z"}, {"filled"}),
            node("Clip", {"filled", "zero", "one"}, {"clipped"}),
            concat({"bin_real", "mark", "clipped"}, "all"),
            stumps("all", {{0, 0.5F}, {0, 1.5F}, {0, 2.5F}, {1, 0.5F}, {2, 0.75F}, {2, 0.0F}, {2, 1.0F}})},
           {test::matrix("edges", 1, 3, {-1.1F, 0.0F, 2.3F}), test::matrix("zero", 1, 1, {0}),
            test::matrix("one", 1, 1, {1})}),
      {{-2, 0, 0.5F, 0.75F, 0.8F, 1, 5}, {-3, -1.1F, -1, 0, 1, 2.3F, 2.31F, 40}});
  // A missing value: the mark is set and 1 is filled in.
  expect_ensemble(file({{"z"}},
                       {node("IsNaN", {"z"}, {"gone"}), cast_node("gone", "mark", type_float),
                        node("Where", {"gone", "one", "z"}, {"filled"}), concat({"mark", "filled"}, "all"),
                        stumps("all", {{0, 0.5F}, {1, 0.75F}, {1, 2.0F}})},
                       {test::matrix("one", 1, 1, {1})}),
                  {{-2, 0.75F, 0.8F, 3, missing}});
}

TEST(OnnxPieces, the_node_that_prevents_it_is_named) {
  const Proto mixed = file({{"a"}, {"b"}}, {node("Add", {"a", "b"}, {"sum"}), stumps("sum", {{0, 0.5F}})});
  const OnnxInfo info = inspect_onnx(mixed.bytes());
  EXPECT_NE(info.tree_obstacle.find("(Add)"), std::string::npos) << info.tree_obstacle;
  EXPECT_NE(info.tree_obstacle.find("several inputs"), std::string::npos) << info.tree_obstacle;
  EXPECT_EQ(read_onnx(mixed.bytes())->ensemble(), nullptr);
  const Proto curve = file({{"a"}}, {node("Sin", {"a"}, {"wave"}), stumps("wave", {{0, 0.5F}})});
  EXPECT_NE(inspect_onnx(curve.bytes()).tree_obstacle.find("(Sin)"), std::string::npos);
}

// z = 0.5 (a - 2) · 3 + (1, -2, 4, 0.5, 0)[level] has a slope in a, and a term for each level.
TEST(OnnxPieces, a_linear_score_behind_encoders_is_a_sum) {
  const Proto hot =
      ml(node("OneHotEncoder", {"x"}, {"hot"}),
         {texts("cats_strings", {"a", "b", "c", "d"}), Proto().text(1, "zeros").number(3, 1).number(20, 2)});
  const Proto scaler = ml(node("Scaler", {"n"}, {"scaled"}), {reals("offset", {2}), reals("scale", {0.5F})});
  const Proto shape = Proto()
                          .number(1, 2)
                          .number(2, 7)
                          .text(8, "shape")
                          .text(9, std::string("\xff\xff\xff\xff\xff\xff\xff\xff\x04\0\0\0\0\0\0\0", 16));
  const auto model = read_onnx(
      file({{"x", type_text}, {"n"}},
           {hot, node("Reshape", {"hot", "shape"}, {"flat"}), scaler, concat({"flat", "scaled"}, "all"),
            node("MatMul", {"all", "w"}, {"z"}), node("Sigmoid", {"z"}, {"y"})},
           {shape, test::matrix("w", 5, 1, {1, -2, 4, 0.5F, 3})})
          .bytes());
  ASSERT_TRUE(is_additive(*model));
  const auto sum = additive(*model);
  EXPECT_EQ(model->linear(), nullptr);
  EXPECT_FALSE(sum->slope(0));
  ASSERT_TRUE(sum->slope(1));
  EXPECT_DOUBLE_EQ(*sum->slope(1), 1.5);
  EXPECT_DOUBLE_EQ(sum->term(0, 2) - sum->term(0, 1), 6);
  EXPECT_DOUBLE_EQ(sum->term(0, -1), 0);
  const test::Rows z = test::run_model(*model, {{2, 7}, {9, 2}}).scores;
  EXPECT_FLOAT_EQ(z[0][0], 4 + 7.5F);
  EXPECT_FLOAT_EQ(z[1][0], 0);
}

TEST(OnnxPieces, scaled_columns_before_a_linear_score_are_one_layer) {
  const Proto first = ml(node("Scaler", {"a"}, {"s"}), {reals("offset", {2}), reals("scale", {0.5F})});
  const Proto second = ml(node("Scaler", {"b"}, {"t"}), {reals("offset", {-1}), reals("scale", {4})});
  const auto model = read_onnx(file({{"a"}, {"b"}},
                                    {first, second, concat({"s", "t"}, "all"),
                                     node("MatMul", {"all", "w"}, {"z"}), node("Sigmoid", {"z"}, {"y"})},
                                    {test::matrix("w", 2, 1, {2, -1})})
                                   .bytes());
  ASSERT_NE(model->linear(), nullptr);
  EXPECT_DOUBLE_EQ(model->linear()->weight[0][0], 1);
  EXPECT_DOUBLE_EQ(model->linear()->weight[0][1], -4);
  EXPECT_DOUBLE_EQ(model->linear()->bias[0], -2 - 4);
  EXPECT_TRUE(is_additive(*model));
}

}  // namespace
}  // namespace scfe
