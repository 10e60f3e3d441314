// What reasons and hints say: limits that block, several limits together, levels, derived columns.
#include <gtest/gtest.h>

#include "tests/answer/asked.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using Kind = Hint::Kind;

// Three numbers from 0 to 1 and no density.
Explainer of_three_numbers(std::shared_ptr<const Model> model) {
  Training training{Matrix(2, 3), {0, 1}, {}};
  for (std::size_t j = 0; j < 3; ++j) training.rows[1][j] = 1;
  training.features = {
      {.name = "age", .step = 0.01}, {.name = "amount", .step = 0.01}, {.name = "rate", .step = 0.01}};
  Options options;
  options.density = DensityKind::none;
  options.target = 1;
  return Explainer(std::move(model), training, options);
}

// Only limits whose lifting helped are said to block. A rule is a limit like any other.
TEST(Reasons, name_as_blocking_what_was_tried) {
  const Explainer fitted = of_three_numbers(test::linear_model({1, 1, 0}, -1.5));
  test::Asked asked{fitted.features(), fitted.options(), {"amount <= 0.4"}};
  asked["rate"].immutable = true;  // the score does not depend on it
  const Matrix row = test::matrix(1, 3, {0, 0, 0});
  Explanation e = asked.of(fitted, row)[0];
  const std::string rule = "the rule amount <= 0.4", rate = "rate may not change";
  const std::size_t force = e.reason().find("limits that apply: "),
                    block = e.reason().find("limits that block: ");
  ASSERT_TRUE(force != std::string::npos && block != std::string::npos && force < block) << e.reason();
  EXPECT_LT(e.reason().find(rule), block) << e.reason();
  EXPECT_LT(e.reason().find(rate), block) << e.reason();
  EXPECT_NE(e.reason().find("limits that block: " + rule + ";"), std::string::npos) << e.reason();
  EXPECT_EQ(e.blocking, std::vector<std::string>{rule});
  asked.options.hints = false;
  e = asked.of(fitted, row)[0];
  EXPECT_NE(e.reason().find(rule), std::string::npos) << e.reason();
  EXPECT_EQ(e.reason().find("block"), std::string::npos) << e.reason();
  EXPECT_TRUE(e.blocking.empty());
}

TEST(Reasons, count_a_blocking_rule_with_commas_once) {
  const Explainer fitted = of_three_numbers(test::linear_model({1, 1, 0}, -1.5));
  test::Asked asked{fitted.features(), fitted.options(), {"at most 1 of age, amount"}};
  const Explanation e = asked.of(fitted, test::matrix(1, 3, {0, 0, 0}))[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_EQ(e.blocking, std::vector<std::string>{"the rule at most 1 of age, amount"}) << e.reason();
}

// Answers below the floor are given only if there are no valid ones; then the most typical comes first.
TEST(Answers, below_the_floor_stand_alone) {
  const test::Credit credit(40);
  Options one = credit.explainer.options();
  one.max_changes = 1;
  one.plausible = 0.3;
  Options several = one;
  several.answers = 3;
  const auto single = credit.explainer.explain(credit.factuals, one);
  const auto lists = credit.explainer.explain_all(credit.factuals, several);
  int lists_below = 0, lists_valid = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::vector<Explanation>& list = lists[i];
    for (const Explanation& e : list) {
      EXPECT_EQ(e.status, list.front().status) << i;
      if (e.status == Status::below_floor) EXPECT_LE(e.quantile, list.front().quantile) << i;
    }
    if (list.front().status == Status::below_floor) EXPECT_GE(list.front().quantile, single[i].quantile) << i;
    (list.front().status == Status::valid ? lists_valid : lists_below) += list.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(lists_below, 3);
  EXPECT_GT(lists_valid, 3);
}

// Two limits each block on their own: both are named, and no third one.
TEST(Hints, name_the_limits_that_have_to_be_lifted_together) {
  const Explainer fitted = of_three_numbers(test::linear_model({1, 1, 1}, -2.5));
  test::Asked asked{fitted.features(), fitted.options(), {"rate <= 1"}};
  asked["age"].immutable = true;
  asked["amount"].max = 0.4;
  const Explanation e = asked.of(fitted, test::matrix(1, 3, {0, 0, 0}))[0];
  EXPECT_TRUE(e.hints.empty()) << e.reason();
  const std::size_t at = e.reason().find("possible if these are lifted together: age may become ");
  ASSERT_NE(at, std::string::npos) << e.reason();
  EXPECT_NE(e.reason().find(", amount may become ", at), std::string::npos) << e.reason();
  EXPECT_EQ(e.reason().find("the rule", at), std::string::npos) << e.reason();
  // Lifting the named limits leads to an answer.
  asked["age"].immutable = false;
  asked["amount"].max = 1;
  EXPECT_EQ(asked.of(fitted, test::matrix(1, 3, {0, 0, 0}))[0].status, Status::valid);
}

TEST(Reasons, tell_schema_and_question_apart) {
  const test::SumModel sum(true);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const Matrix row = test::matrix(1, 2, {0.1, 0.2});
  // Neither one change more nor another age alone is enough.
  Options one = sum.options;
  one.max_changes = 1;
  Explanation e = explainer.explain(row, one)[0];
  EXPECT_NE(e.reason().find("with at most 1 change;"), std::string::npos) << e.reason();
  EXPECT_NE(e.reason().find("block together: the closest would change age"), std::string::npos) << e.reason();
  EXPECT_EQ(e.reason().find("lifting limits of the question alone"), std::string::npos) << e.reason();
  // The score cannot get that far at all.
  const auto far = test::linear_model({1, 1}, -3);
  e = Explainer(far, sum.training, sum.options).explain(row, sum.options)[0];
  EXPECT_NE(e.reason().find("every limit but the ranges lifted none was found"), std::string::npos)
      << e.reason();
  // The reason says which probability was reached.
  Options sure = sum.options;
  sure.probability = 0.99;
  e = explainer.explain(row, sure)[0];
  EXPECT_NE(e.reason().find("the closest candidate reaches a probability of 40.1 %"), std::string::npos)
      << e.reason();
}

// A model whose score is 1 for school, 0 for college and phd.
struct School {
  Training training;
  std::shared_ptr<const Model> model = test::linear_model({1, 0, 0}, -0.5);
  Options options;

  School() {
    training.rows = Matrix(6, 3);
    for (std::size_t i = 0; i < 6; ++i) {
      training.rows[i][i % 3] = 1;
      training.labels.push_back(i % 3 == 0);
    }
    Feature education{.name = "education", .kind = scfe::Kind::categorical};
    education.levels = {"school", "college", "phd"};
    education.order = {0, 1, 2};
    training.features = {education};
    options.density = DensityKind::none;
    options.target = 1;
  }
};

TEST(Hints, speak_of_levels) {
  const School school;
  const Explainer fitted(school.model, school.training, school.options);
  const Matrix phd = test::matrix(1, 3, {0, 0, 1});
  test::Asked asked{fitted.features(), school.options};
  asked.features[0].direction = Direction::up;
  Explanation e = asked.of(fitted, phd)[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason();
  EXPECT_EQ(e.hints[0].text, "possible if education may fall");
  asked = {fitted.features(), school.options};
  asked.features[0].transitions = {{0}, {0, 1}, {1, 2}};
  e = asked.of(fitted, phd)[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason();
  EXPECT_EQ(e.hints[0].text, "possible if education may become school");
}

// The value of a derived column is named although it does not count as a change.
TEST(Hints, name_the_value_that_a_derived_column_reaches) {
  test::SumModel sum(false);
  Matrix rows(8, 3);
  for (std::size_t i = 0; i < 8; ++i) {
    rows[i][0] = sum.training.rows[i][0];
    rows[i][1] = sum.training.rows[i][1];
    rows[i][2] = rows[i][0] + rows[i][1];
  }
  sum.training.rows = rows;
  sum.training.features.push_back({.name = "total", .step = 0.01});
  sum.training.rules = {"total := age + amount"};
  const Explainer fitted(test::linear_model({1, 1, 0}, -1.5), sum.training, sum.options);
  test::Asked asked{fitted.features(), sum.options, fitted.rules()};
  asked["total"].max = 1.2;
  const Explanation e = asked.of(fitted, test::matrix(1, 3, {0.1, 0.2, 0.3}))[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason();
  EXPECT_EQ(e.hints[0].kind, Kind::upper);
  EXPECT_GE(e.hints[0].reached, 1.5) << e.hints[0].text;
}

// A rule of the schema is recognised by its text, wherever it is in the list.
TEST(Hints, never_lift_a_rule_of_the_schema) {
  test::SumModel sum(false);
  sum.training.rules = {"amount <= 0.4"};
  const Explainer fitted(sum.model, sum.training, sum.options);
  const test::Asked asked{fitted.features(), sum.options, {"age <= 1", "amount <= 0.4"}};
  const Explanation e = asked.of(fitted, test::matrix(1, 2, {0.1, 0.2}))[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_TRUE(e.hints.empty()) << e.reason();
  EXPECT_NE(e.reason().find("lifting limits of the question alone"), std::string::npos) << e.reason();
}

// A score without a gradient: 1 within a narrow band, -1 elsewhere. The values that the search samples
// between 0 and 0.5 miss the band, but those between 0 and 1 hit it. What is found there becomes an answer,
// not a hint.
TEST(Hints, within_the_limits_are_answers) {
  Callback band{.features = 2, .scores = 1, .value = {}, .gradient = {}};
  band.value = [](std::span<const float> x, std::span<float> scores) {
    scores[0] = std::abs(x[0] - 0.25F) < 0.01F ? 1.0F : -1.0F;
  };
  band.gradient = [](std::span<const float>, std::span<const float>, std::span<float> gradient) {
    std::ranges::fill(gradient, 0.0F);
  };
  Training training{test::matrix(4, 2, {0, 0, 1, 1, 0.25, 0, 0.25, 1}), {0, 0, 1, 1}, {}};
  training.features = {{.name = "x", .step = 0.001}, {.name = "y", .step = 0.001}};
  Options options;
  options.density = DensityKind::none;
  options.target = 1;
  const Explainer fitted(callback_model(band), training, options);
  test::Asked asked{fitted.features(), options};
  asked["x"].max = 0.5;
  const Matrix row = test::matrix(1, 2, {0, 0});
  asked.options.hints = false;
  ASSERT_EQ(asked.of(fitted, row)[0].status, Status::not_found);
  asked.options.hints = true;
  const Explanation e = asked.of(fitted, row)[0];
  EXPECT_EQ(e.status, Status::valid) << e.reason();
  EXPECT_TRUE(e.hints.empty());
  EXPECT_NEAR(e.counterfactual[0], 0.25, 0.01);
}

TEST(Hints, of_a_path_whose_end_is_fine_are_none) {
  const test::Credit credit(40);
  Options options = credit.explainer.options();
  options.path = true;
  options.plausible = 0.3;
  int below_first = 0;
  for (const auto& path : credit.explainer.explain_all(credit.factuals, options)) {
    const bool met = path.back().status == Status::valid;
    below_first += met && path.front().status == Status::below_floor;
    for (std::size_t k = 0; k < path.size(); ++k)
      if (met || k + 1 < path.size()) EXPECT_TRUE(path[k].hints.empty());
    if (path.back().status == Status::below_floor) EXPECT_FALSE(path.back().hints.empty());
  }
  EXPECT_GT(below_first, 0);
}

TEST(Reasons, name_the_limit_of_the_row) {
  const test::SumModel sum(false);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const RowLimits limits{{{1, {}, 0.4, false}}};
  for (const Solver solver : {Solver::automatic, Solver::search}) {
    Options options = sum.options;
    options.solver = solver;
    const Explanation e =
        explainer.explain(test::matrix(1, 2, {0.1, 0.2}), options, {}, std::vector<RowLimits>{limits})[0];
    EXPECT_EQ(e.status, Status::not_found);
    EXPECT_NE(e.reason().find("amount <= 0.4"), std::string::npos) << e.reason();
    EXPECT_EQ(e.reason().find("amount <= 1"), std::string::npos) << e.reason();
    ASSERT_EQ(e.hints.size(), 1U) << e.reason();
    EXPECT_EQ(e.hints[0].kind, Kind::upper);
    EXPECT_GT(e.hints[0].reached, 0.4);
  }
}

// The row already has the target class, but not with the probability asked for.
TEST(Hints, say_where_nothing_has_to_change) {
  const test::Credit credit(1);
  const std::vector<int> predicted = credit.explainer.predict(credit.rows.inputs);
  Matrix approved(0, credit.rows.inputs.cols);
  for (std::size_t i = 0; i < predicted.size() && approved.rows < 60; ++i) {
    if (predicted[i] != 1) continue;
    const auto row = credit.rows.inputs[i];
    approved.values.insert(approved.values.end(), row.begin(), row.end());
    ++approved.rows;
  }
  test::Asked asked{credit.explainer.features(), credit.explainer.options()};
  asked.freeze_all_but({"duration_months"});
  asked.options.target = 1;
  asked.options.max_changes = 1;
  asked.options.plausible = 0;
  asked.options.probability = 0.97;
  int said = 0;
  for (const Explanation& e : asked.of(credit.explainer, approved)) {
    if (e.status != Status::not_found) continue;
    EXPECT_NE(e.reason().find("nothing has to change without a probability of 97 %"), std::string::npos)
        << e.reason();
    ++said;
  }
  EXPECT_GT(said, 5);
}

// If a stricter question has an answer, a looser one has one too.
TEST(Looser, questions_have_no_fewer_answers) {
  const test::Credit credit(60);
  test::Asked strict{credit.explainer.features(), credit.explainer.options()};
  strict.rules = {"at most 1 of duration_months, amount", "amount <= 400 * duration_months"};
  strict.options.hints = false;
  strict.options.max_changes = 2;
  test::Asked loose = strict;
  loose.options.plausible = 0;
  strict.freeze_all_but({"duration_months", "amount", "checking_account", "purpose", "savings"});
  const auto less = strict.of(credit.explainer, credit.factuals),
             more = loose.of(credit.explainer, credit.factuals);
  int answered = 0;
  for (std::size_t i = 0; i < less.size(); ++i) {
    answered += less[i].found();
    EXPECT_TRUE(more[i].found() || !less[i].found()) << "row " << i;
  }
  EXPECT_GT(answered, 10);
}

}  // namespace
}  // namespace scfe
