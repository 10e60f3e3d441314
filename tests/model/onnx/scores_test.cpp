// Which output holds the scores, and what the classes are called: models with different last operators (made
// by experiments/fixtures/onnx_scores.py) must decide like ONNX Runtime or be refused; never silently wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scfe/error.h"
#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Rows;

Rows rows_of(const nlohmann::json& json, std::size_t features) {
  const auto values = test::floats_from_hex(json["rows"]);
  const auto width = static_cast<std::ptrdiff_t>(features);
  Rows rows;
  for (auto from = values.begin(); from != values.end(); from += width) rows.emplace_back(from, from + width);
  return rows;
}

std::vector<std::string> labels_of(const Rows& scores, const std::vector<std::string>& classes) {
  std::vector<std::string> labels;
  for (const std::vector<float>& z : scores) {
    const auto best = z.size() == 1 ? static_cast<std::ptrdiff_t>(z[0] > 0)
                                    : std::max_element(z.begin(), z.end()) - z.begin();
    labels.push_back(classes.empty() ? std::to_string(best) : classes.at(static_cast<std::size_t>(best)));
  }
  return labels;
}

TEST(OnnxScores, decide_as_onnx_runtime_or_are_refused) {
  std::size_t decided = 0, refused = 0;
  for (const auto& json : test::json_lines("onnx/scores.jsonl")) {
    SCOPED_TRACE(json["name"].get<std::string>());
    const auto bytes = test::from_hex(json["model"]);
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      OnnxOptions options;
      options.precision = precision;
      if (json.contains("refused")) {
        ++refused;
        try {
          (void)read_onnx(bytes, options);
          ADD_FAILURE() << "was read";
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find(json["refused"].get<std::string>()), std::string::npos)
              << error.what();
        }
        continue;
      }
      ++decided;
      const auto model = read_onnx(bytes, options);
      const Rows scores = test::run_model(*model, rows_of(json, model->features())).scores;
      const std::vector<std::string> expected = json["labels"];
      EXPECT_EQ(labels_of(scores, inspect_onnx(bytes, options).classes), expected);
      EXPECT_GT(std::set<std::string>(expected.begin(), expected.end()).size(), 1U)
          << "a check that cannot fail";
    }
  }
  EXPECT_GE(decided, 20U);
  EXPECT_GE(refused, 20U);
}

// One number within [0, 1] is a probability p: the score is log(p / (1 - p)), and its sigmoid is p again.
TEST(OnnxScores, of_a_probability_is_its_logit) {
  const std::set<std::string> names = {"sigmoid and clip",
                                       "mean of sigmoids",
                                       "sigmoid written out",
                                       "tanh in [0, 1]",
                                       "hard sigmoid",
                                       "scaled sigmoid",
                                       "probit",
                                       "gate",
                                       "larger of two",
                                       "column of a softmax by Split"};
  std::size_t seen = 0;
  for (const auto& json : test::json_lines("onnx/scores.jsonl")) {
    if (!names.contains(json["name"].get<std::string>())) continue;
    SCOPED_TRACE(json["name"].get<std::string>());
    ++seen;
    OnnxOptions as_it_is;
    as_it_is.scores = "y";
    const auto bytes = test::from_hex(json["model"]);
    const auto logits = read_onnx(bytes), plain = read_onnx(bytes, as_it_is);
    EXPECT_EQ(logits->output(), Model::Output::sigmoid);
    const Rows rows = rows_of(json, logits->features());
    const test::Run z = test::run_model(*logits, rows), p = test::run_model(*plain, rows);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double given = p.scores[r][0];
      EXPECT_NEAR(1 / (1 + std::exp(-static_cast<double>(z.scores[r][0]))), given, 1e-5);
      if (given < 1e-3 || given > 1 - 1e-3) continue;
      for (std::size_t f = 0; f < logits->features(); ++f)
        EXPECT_NEAR(z.gradient[r][f], p.gradient[r][f] / (given * (1 - given)),
                    1e-3 * std::max(1.0F, std::abs(z.gradient[r][f])));
    }
  }
  EXPECT_EQ(seen, names.size());
}

TEST(OnnxScores, inspection_says_why_a_model_is_refused) {
  for (const auto& json : test::json_lines("onnx/scores.jsonl")) {
    if (!json.contains("refused")) continue;
    try {
      EXPECT_FALSE(inspect_onnx(test::from_hex(json["model"])).unsupported.empty()) << json["name"];
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("outputs"), std::string::npos) << json["name"];
    }
  }
}

// With a label alone, both classes are equally far from the decision boundary.
TEST(OnnxScores, of_a_label_alone_have_a_margin_for_both_classes) {
  constexpr std::uint64_t boolean = 9, int64 = 7, single = 1;
  const auto whole = [](const std::string& name, std::uint64_t value) {
    return test::Proto().number(1, 1).number(2, int64).text(8, name).number(7, value);
  };
  const auto scores_of = [&](const std::string& op, const test::Proto& last, std::uint64_t type) {
    const auto file = test::model(test::Proto()
                                      .message(1, test::node("Sigmoid", {"x"}, {"p"}))
                                      .message(1, test::node(op, {"p", "half"}, {"g"}))
                                      .message(1, last)
                                      .message(5, test::matrix("half", 1, 1, {0.5F}))
                                      .message(5, whole("one", 1))
                                      .message(5, whole("none", 0))
                                      .message(11, test::port("x", {-1, 1}))
                                      .message(12, test::port("y", {-1, 1}, type)));
    const auto model = read_onnx(file.bytes());
    EXPECT_EQ(model->classes(), 2U);
    return test::run_model(*model, {{-3}, {2}}).scores;
  };
  for (const std::string op : {"Greater", "GreaterOrEqual"})
    for (const auto& [last, type] : {std::pair{test::node("Identity", {"g"}, {"y"}), boolean},
                                     {test::node("Where", {"g", "one", "none"}, {"y"}), int64},
                                     {test::to_float("g", "y"), single}}) {
      const Rows scores = scores_of(op, last, type);
      EXPECT_LE(scores[0][0], -0.5F) << op << " " << type;
      EXPECT_GE(scores[1][0], 0.5F) << op << " " << type;
    }
}

TEST(OnnxScores, look_through_softmax_in_other_words) {
  using test::node;
  const auto sum = node("ReduceLogSumExp", {"x"}, {"s"})
                       .message(5, test::Proto().text(1, "axes").number(20, 7).number(8, 1));
  const std::vector<std::vector<test::Proto>> ends = {
      {node("LogSoftmax", {"x"}, {"l"}), node("Exp", {"l"}, {"y"})},
      {node("Softmax", {"x"}, {"l"}), node("Log", {"l"}, {"y"})},
      {sum, node("Sub", {"x", "s"}, {"y"})},
      {sum, node("Sub", {"x", "s"}, {"l"}), node("Exp", {"l"}, {"y"})}};
  for (const auto& nodes : ends) {
    test::Proto graph;
    for (const test::Proto& one : nodes) graph.message(1, one);
    graph.message(11, test::port("x", {-1, 3})).message(12, test::port("y", {-1, 3}));
    EXPECT_EQ(test::run_model(*read_onnx(test::model(graph).bytes()), {{1, -2, 30}}).scores,
              (Rows{{1, -2, 30}}));
  }
}

// A model with two heads is refused unless the user names one.
TEST(OnnxScores, are_those_of_the_output_that_is_named) {
  const auto file = test::model(test::Proto()
                                    .message(1, test::node("Softmax", {"x"}, {"first"}))
                                    .message(1, test::node("Neg", {"x"}, {"z"}))
                                    .message(1, test::node("Softmax", {"z"}, {"second"}))
                                    .message(11, test::port("x", {-1, 3}))
                                    .message(12, test::port("first", {-1, 3}))
                                    .message(12, test::port("second", {-1, 3})));
  EXPECT_THROW((void)read_onnx(file.bytes()), Error);
  OnnxOptions options;
  for (const auto& [name, sign] : {std::pair{"first", 1.0F}, {"second", -1.0F}}) {
    options.output = name;
    EXPECT_EQ(test::run_model(*read_onnx(file.bytes(), options), {{1, -2, 3}}).scores,
              (Rows{{sign, -2 * sign, 3 * sign}}));
    for (const OnnxOutput& output : inspect_onnx(file.bytes(), options).outputs)
      EXPECT_EQ(output.scores, output.name == name);
  }
  options.output = "third";
  EXPECT_THROW((void)read_onnx(file.bytes(), options), Error);
}

}  // namespace
}  // namespace scfe
