// Copies of a row, a little beside it: what moves, in which precision they are judged, what counts as failed.
#include "validity/rounded_margins.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/stepped.h"
#include "objective/evaluate.h"
#include "plausibility/catalogue.h"
#include "scfe/onnx.h"
#include "tests/helper/allocations.h"
#include "tests/helper/parts.h"
#include "tests/model/onnx/proto.h"

namespace scfe {
namespace {

using test::Proto;

// yes = [0.1 x_0 + 0.2 x_1 > 0.5], exactly on the line at (1, 2); what is made of it comes in `rest`.
Proto on_the_line(const Proto& rest, const std::vector<float>& line = {0.5F}) {
  return Proto(rest)
      .message(1, test::node("MatMul", {"x", "tenths"}, {"v"}))
      .message(1, test::node("Greater", {"v", "line"}, {"yes"}))
      .message(1, test::to_float("yes", "said"))
      .message(5, test::matrix("tenths", 2, 1, {0.1F, 0.2F}))
      .message(5, test::matrix("line", 1, 1, line))
      .message(11, test::port("x", {-1, 2}))
      .message(12, test::port("y", {-1, -1}));
}

struct OnTheLine {
  std::shared_ptr<const Model> model;
  Space space{Scaling{{0, 0}, {10, 10}}};
  Validity validity;
  FittedDensity fitted = fit_density(DensityKind::none, Matrix(4, 2), {});

  OnTheLine(const Proto& graph, std::size_t scores, Precision precision = Precision::float32)
      : validity(scores, {.target = 1, .margin = 1e-4, .probability = {}}) {
    OnnxOptions options;
    options.scores = "y";
    options.precision = precision;
    model = read_onnx(test::model(graph).bytes(), options);
  }

  // The margin of the row, taken by itself and with its copies.
  float margin(const std::vector<double>& row) const {
    const test::Parts parts(*model, space, validity, *fitted.density);
    Terms terms(parts.query, 1);
    Block u(2, 1), x(2, 1), anchors(2, 1);
    for (std::size_t i = 0; i < 2; ++i) x[i][0] = static_cast<float>(row[i]);
    terms.set_values(0, row);
    terms.evaluate(u, x, anchors, {});
    return terms.margins()[0][0];
  }
};

TEST(RoundedMargins, moves_whole_numbers) {
  const OnTheLine line(on_the_line(Proto()
                                       .message(1, test::node("Sub", {"half", "said"}, {"y"}))
                                       .message(5, test::matrix("half", 1, 1, {0.5F}))),
                       1);
  ASSERT_TRUE(has_steps(*line.model));
  const OnTheLine other(on_the_line(Proto()
                                        .message(1, test::node("Sub", {"said", "half"}, {"y"}))
                                        .message(5, test::matrix("half", 1, 1, {0.5F}))),
                        1);
  // On the line neither answer stands, whatever the last bits say.
  for (const OnTheLine* d : {&line, &other}) EXPECT_LT(d->margin({1, 2}), 0);
  EXPECT_GT(line.margin({2, 1}), 0);
  EXPECT_GT(other.margin({2, 2}), 0);
}

// How far a number moves depends on its range, not on the scale of the work space.
TEST(RoundedMargins, move_by_a_share_of_the_range_in_every_space) {
  OnTheLine line(on_the_line(Proto()
                                 .message(1, test::node("Sub", {"said", "half"}, {"y"}))
                                 .message(5, test::matrix("half", 1, 1, {0.5F}))),
                 1);
  for (const double scale : {10.0, 1.0, 1e-6}) {
    line.space = Space(Scaling({0, 0}, {scale, scale}, {10, 10}));
    EXPECT_LT(line.margin({1 + 2e-5, 2}), 0) << scale;
    EXPECT_GT(line.margin({1 + 2e-4, 2}), 0) << scale;
  }
}

// x_0 is compared with 3 as it stands, which every runtime does alike; x_1 is computed with.
TEST(RoundedMargins, leaves_what_is_only_compared) {
  const Proto graph =
      Proto()
          .message(1, test::node("Gather", {"x", "first"}, {"a"})
                          .message(5, Proto().text(1, "axis").number(3, 1).number(20, 2)))
          .message(1, test::node("Gather", {"x", "second"}, {"b"})
                          .message(5, Proto().text(1, "axis").number(3, 1).number(20, 2)))
          .message(1, test::node("Equal", {"a", "three"}, {"is"}))
          .message(1, test::node("Mul", {"b", "tenth"}, {"c"}))
          .message(1, test::node("Greater", {"c", "tenth"}, {"above"}))
          .message(1, test::node("And", {"is", "above"}, {"both"}))
          .message(1, test::to_float("both", "said"))
          .message(1, test::node("Sub", {"said", "half"}, {"y"}))
          .message(5, Proto().number(1, 1).number(2, 7).text(8, "first").text(9, std::string(8, 0)))
          .message(5, Proto().number(1, 1).number(2, 7).text(8, "second").text(9, '\1' + std::string(7, 0)))
          .message(5, test::matrix("three", 1, 1, {3}))
          .message(5, test::matrix("tenth", 1, 1, {0.1F}))
          .message(5, test::matrix("half", 1, 1, {0.5F}))
          .message(11, test::port("x", {-1, 2}))
          .message(12, test::port("y", {-1, -1}));
  const OnTheLine line(graph, 1);
  const auto uses = input_uses(*line.model);
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_FALSE(uses[0].computed);
  EXPECT_TRUE(uses[0].compared);
  EXPECT_TRUE(uses[1].computed);
  EXPECT_GT(line.margin({3, 2}), 0);
  EXPECT_LT(line.margin({4, 2}), 0);
}

// An index into a table of embeddings: 3 a little less would be 2.
TEST(RoundedMargins, leaves_indices_and_conditions) {
  const Proto graph = Proto()
                          .message(1, test::node("Gather", {"table", "x"}, {"e"}))
                          .message(1, test::node("ReduceSum", {"e"}, {"s"}))
                          .message(1, test::node("Greater", {"s", "line"}, {"yes"}))
                          .message(1, test::to_float("yes", "said"))
                          .message(1, test::node("Sub", {"said", "half"}, {"y"}))
                          .message(5, test::matrix("table", 4, 1, {0, 0.1F, 0.2F, 0.7F}))
                          .message(5, test::matrix("line", 1, 1, {1}))
                          .message(5, test::matrix("half", 1, 1, {0.5F}))
                          .message(11, test::port("x", {-1, 2}))
                          .message(12, test::port("y", {-1, -1}));
  const OnTheLine line(graph, 1);
  const auto uses = input_uses(*line.model);
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_FALSE(uses[0].computed || uses[1].computed);
  EXPECT_GT(line.margin({3, 3}), 0);
}

// Both scores are large: as floats they are the same.
Proto large_scores() {
  return on_the_line(Proto()
                         .message(1, test::node("MatMul", {"said", "each"}, {"one"}))
                         .message(1, test::node("Add", {"one", "large"}, {"y"}))
                         .message(5, test::matrix("each", 1, 2, {0, 2}))
                         .message(5, test::matrix("large", 1, 2, {1073741824, 1073741824})));
}

TEST(RoundedMargins, is_judged_in_the_precision_in_use) {
  EXPECT_EQ(OnTheLine(large_scores(), 2).margin({3, 3}), 0);
  EXPECT_EQ(OnTheLine(large_scores(), 2, Precision::float64).margin({3, 3}), 2);
  // Nothing else than the copies, which cross the line, holds this one back.
  EXPECT_EQ(OnTheLine(large_scores(), 2, Precision::float64).margin({1, 2 + 1e-6}), 0);
}

// sqrt(0) is a number; a little below there is none.
TEST(RoundedMargins, no_number_is_a_failure) {
  for (const Precision precision : {Precision::float32, Precision::float64})
    for (const std::size_t scores : {1U, 3U}) {
      const Proto graph =
          on_the_line(Proto()
                          .message(1, test::node("Sqrt", {"x"}, {"root"}))
                          .message(1, test::node("MatMul", {"root", "mix"}, {"m"}))
                          .message(1, test::node("Sub", {"m", "said"}, {"y"}))
                          .message(5, scores == 1 ? test::matrix("mix", 2, 1, {1, 1})
                                                  : test::matrix("mix", 2, 3, {0, 1, 0, 0, 1, 0})));
      const OnTheLine line(graph, scores, precision);
      EXPECT_GT(line.margin({1, 1}), 0) << name_of(precision) << scores;
      EXPECT_EQ(line.margin({1, 0}), -std::numeric_limits<float>::infinity()) << name_of(precision) << scores;
    }
}

TEST(RoundedMargins, allocates_nothing_at_an_evaluation) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const OnTheLine line(large_scores(), 2, precision);
    const test::Parts parts(*line.model, line.space, line.validity, *line.fitted.density);
    Terms terms(parts.query, 40);
    Block u(2, 40), x(2, 40), anchors(2, 40);
    for (std::size_t lane = 0; lane < 40; ++lane) x[0][lane] = x[1][lane] = 5;
    const std::vector<double> row{5, 5};
    const long before = test::allocations();
    for (std::size_t lane = 0; lane < 40; lane += 3) terms.set_values(lane, row);
    terms.evaluate(u, x, anchors, {});
    EXPECT_EQ(test::allocations(), before) << name_of(precision);
  }
}

}  // namespace
}  // namespace scfe
