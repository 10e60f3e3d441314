// Hints and reasons of rows without a valid answer: following a hint exactly must lead to an answer.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using Kind = Hint::Kind;

struct Asked {
  std::vector<Feature> features;
  Options options;
  std::vector<std::string> rules = {};
  RowLimits limits = {};  // the same for every row

  std::size_t place(const std::string& name) const {
    for (std::size_t f = 0; f < features.size(); ++f)
      if (features[f].name == name) return f;
    throw std::invalid_argument(name);
  }
  Feature& operator[](const std::string& name) { return features[place(name)]; }
  void freeze_all_but(const std::vector<std::string>& names) {
    for (Feature& f : features)
      f.immutable = f.immutable || std::find(names.begin(), names.end(), f.name) == names.end();
  }
  std::vector<Explanation> of(const Explainer& fitted, const Matrix& rows) const {
    const std::vector<RowLimits> each(limits.features.empty() ? 0 : rows.rows, limits);
    return fitted.with_features(features).with_rules(rules).explain(rows, options, {}, each);
  }

  Asked relaxed(const Hint& hint, const Explainer& fitted) const {
    Asked other = *this;
    const auto place = static_cast<std::size_t>(hint.value);
    const bool of_feature =
        hint.kind == Kind::feature || hint.kind == Kind::upper || hint.kind == Kind::lower;
    if (hint.kind == Kind::changes) other.options.max_changes = static_cast<int>(hint.value);
    if (hint.kind == Kind::plausible) other.options.plausible = hint.value;
    if (hint.kind == Kind::probability) other.options.probability = 0;
    if (hint.kind == Kind::robust) other.options.robust = 0;
    if (hint.kind == Kind::rule) other.rules.erase(other.rules.begin() + static_cast<std::ptrdiff_t>(place));
    if (!of_feature) return other;
    Feature& feature = other.features[place];
    if (hint.kind == Kind::feature) {
      feature.immutable = fitted.features()[place].immutable;
      feature.direction = fitted.features()[place].direction;
      feature.transitions = fitted.features()[place].transitions;
    }
    if (hint.kind == Kind::upper) feature.max = hint.reached;
    if (hint.kind == Kind::lower) feature.min = hint.reached;
    for (FeatureLimit& limit : other.limits.features) {
      if (limit.feature != place) continue;
      if (hint.kind == Kind::feature) limit.fixed = false;
      if (hint.kind == Kind::upper) limit.max.reset();
      if (hint.kind == Kind::lower) limit.min.reset();
    }
    return other;
  }
};

struct Count {
  std::map<Kind, int> kinds;
  int tried = 0;

  void follow(const Asked& asked, const Explainer& fitted, const Matrix& rows) {
    const std::vector<Explanation> answers = asked.of(fitted, rows);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].status == Status::valid || answers[i].status == Status::already)
        EXPECT_TRUE(answers[i].hints.empty());
      for (const Hint& hint : answers[i].hints) {
        const Explanation e = asked.relaxed(hint, fitted).of(fitted, test::one_row(rows[i]))[0];
        EXPECT_EQ(e.status, Status::valid) << "row " << i << ": " << hint.text;
        if (hint.kind == Kind::feature)
          EXPECT_FALSE(fitted.features()[static_cast<std::size_t>(hint.value)].immutable) << hint.text;
        EXPECT_NE(hint.text.find("possible"), std::string::npos);
        ++kinds[hint.kind];
        ++tried;
      }
    }
  }
};

TEST(Hints, are_true) {
  const test::Credit credit(40);
  const Explainer& fitted = credit.explainer;
  const Asked plain{fitted.features(), fitted.options()};
  Count count;

  Asked frozen = plain;
  for (const char* name :
       {"checking_account", "duration_months", "credit_history", "savings", "other_debtors"})
    frozen[name].immutable = true;
  frozen.options.max_changes = 1;
  frozen.options.plausible = 0.25;
  count.follow(frozen, fitted, credit.factuals);

  Asked narrow = plain;
  narrow.options.plausible = 0;
  narrow.options.max_changes = 2;
  narrow.freeze_all_but({"duration_months", "amount"});
  narrow["duration_months"].min = 20;
  narrow["amount"].max = 2500;
  narrow["amount"].direction = Direction::up;
  count.follow(narrow, fitted, credit.factuals);

  // The other way, from approved to refused: more of both features helps.
  Matrix approved(0, credit.factuals.cols);
  const std::vector<int> predicted = fitted.predict(credit.rows.inputs);
  for (std::size_t i = 0; i < predicted.size() && approved.rows < 40; ++i) {
    if (predicted[i] == 0) continue;
    approved.values.insert(approved.values.end(), credit.rows.inputs[i].begin(), credit.rows.inputs[i].end());
    ++approved.rows;
  }
  Asked more = narrow;
  more.features = plain.features;
  more.freeze_all_but({"duration_months", "amount"});
  more["duration_months"].max = 36;
  more["amount"].max = 5000;
  count.follow(more, fitted, approved);

  Asked ruled = plain;
  ruled.options.plausible = 0;
  ruled.options.max_changes = 2;
  ruled.freeze_all_but({"duration_months", "amount"});
  ruled.rules = {"duration_months >= 20", "at most 1 of duration_months, amount"};
  count.follow(ruled, fitted, credit.factuals);

  Asked sure = plain;
  sure.options.plausible = 0;
  sure.options.max_changes = 1;
  sure.options.probability = 0.9;
  count.follow(sure, fitted, credit.factuals);
  sure.options.probability = 0;
  sure.options.robust = 0.08;
  count.follow(sure, fitted, credit.factuals);

  Asked rows = narrow;
  rows.features = plain.features;
  rows.freeze_all_but({"duration_months", "amount", "savings"});
  rows.limits.features = {{plain.place("savings"), {}, {}, true},
                          {plain.place("duration_months"), 20.0, {}, false},
                          {plain.place("amount"), {}, 2500.0, false}};
  count.follow(rows, fitted, credit.factuals);

  EXPECT_GE(count.tried, 50);
  for (const Kind kind : {Kind::plausible, Kind::changes, Kind::feature, Kind::upper, Kind::lower, Kind::rule,
                          Kind::probability, Kind::robust})
    EXPECT_GT(count.kinds[kind], 0) << static_cast<int>(kind);
}

// The same solver finds an answer when it is asked again with the limit lifted.
TEST(Hints, of_apg_are_true_for_apg) {
  const test::Credit credit(12);
  const Explainer& fitted = credit.explainer;
  Asked asked{fitted.features(), fitted.options()};
  asked.options.solver = Solver::apg;
  asked.options.iterations = 50;
  Count count;
  Asked frozen = asked;
  for (const char* name : {"checking_account", "credit_history", "savings", "other_debtors"})
    frozen[name].immutable = true;
  frozen.options.max_changes = 1;
  frozen.options.plausible = 0.25;
  count.follow(frozen, fitted, credit.factuals);
  Asked narrow = asked;
  narrow.options.plausible = 0;
  narrow.options.max_changes = 2;
  narrow.freeze_all_but({"duration_months", "amount"});
  narrow["duration_months"].min = 20;
  narrow["amount"].max = 2500;
  narrow["amount"].direction = Direction::up;
  count.follow(narrow, fitted, credit.factuals);
  EXPECT_GE(count.tried, 15);
  for (const Kind kind : {Kind::plausible, Kind::changes, Kind::feature, Kind::lower})
    EXPECT_GT(count.kinds[kind], 0) << static_cast<int>(kind);
  for (const Explanation& e : narrow.of(fitted, credit.factuals))
    if (e.status == Status::not_found) {
      EXPECT_NE(e.reason.find("the closest candidate misses the target by"), std::string::npos) << e.reason;
      EXPECT_NE(e.reason.find("limits that apply: "), std::string::npos) << e.reason;
      EXPECT_EQ(e.reason.find("limits that block: ") != std::string::npos, !e.hints.empty()) << e.reason;
    }
}

// z = a + b - 1.5 on two numbers from 0 to 1.
struct Sum {
  Training training;
  std::shared_ptr<const Model> model = dense_network({{test::matrix(1, 2, {1, 1}), {-1.5}, "none"}});
  Options options;

  explicit Sum(bool frozen) {
    training.rows = Matrix(8, 2);
    for (std::size_t i = 0; i < 8; ++i) {
      training.rows[i][0] = static_cast<double>(i % 2);
      training.rows[i][1] = static_cast<double>(i / 4);
      training.labels.push_back(i % 2 == 1 && i / 4 == 1 ? 1 : 0);
    }
    training.features = {{.name = "age", .step = 0.01, .immutable = frozen},
                         {.name = "amount", .step = 0.01}};
    options.density = DensityKind::none;
    options.target = 1;
  }
};

TEST(Hints, do_not_offer_what_the_schema_forbids) {
  const Sum sum(true);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const Explanation e = explainer.explain(test::matrix(1, 2, {0.1, 0.2}), sum.options)[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_TRUE(e.hints.empty());
  EXPECT_NE(e.reason.find("possible without limits of the schema"), std::string::npos) << e.reason;
  EXPECT_NE(e.reason.find("would change age"), std::string::npos) << e.reason;
  // If the same limit comes from the question, a hint lifts it.
  const Sum unfrozen(false);
  std::vector<Feature> features = Explainer(unfrozen.model, unfrozen.training, unfrozen.options).features();
  features[0].immutable = true;
  const Explanation asked = Explainer(unfrozen.model, unfrozen.training, unfrozen.options)
                                .with_features(features)
                                .explain(test::matrix(1, 2, {0.1, 0.2}), unfrozen.options)[0];
  ASSERT_EQ(asked.hints.size(), 1U) << asked.reason;
  EXPECT_EQ(asked.hints[0].text, "possible if age may change");
}

// The row's own lower limit is above the question's upper one: no value is left, and the hint lifts the
// question's limit.
TEST(Hints, of_a_row_whose_limits_leave_nothing) {
  const Sum sum(false);
  const Explainer fitted(sum.model, sum.training, sum.options);
  Asked asked{fitted.features(), sum.options};
  asked["amount"].max = 0.4;
  asked.limits.features = {{1, 0.6, {}, false}};
  const Explanation e = asked.of(fitted, test::matrix(1, 2, {0.1, 0.2}))[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_NE(e.reason.find("amount has no room: at least 0.6, at most 0.4"), std::string::npos) << e.reason;
  EXPECT_EQ(e.reason.find("may not change"), std::string::npos) << e.reason;
  ASSERT_EQ(e.hints.size(), 1U) << e.reason;
  EXPECT_EQ(e.hints[0].kind, Kind::upper);
  EXPECT_GE(e.hints[0].reached, 0.6);
}

// Many more changes are tried before several limits are lifted together; the hint names only the changes.
TEST(Hints, many_changes_come_before_several_limits) {
  const auto linear = test::linear_model(std::vector<double>(9, 1), -5.5);
  Training training{Matrix(2, 9), {0, 1}, {}};
  for (std::size_t j = 0; j < 9; ++j) training.rows[1][j] = 1;
  Options options;
  options.density = DensityKind::none;
  options.target = 1;
  options.max_changes = 1;
  const Explainer fitted(linear, training, options);
  Asked asked{fitted.features(), options};
  asked.features[0].immutable = true;  // a limit that does not matter here
  const Matrix row(1, 9);
  for (const Solver solver : {Solver::automatic, Solver::search, Solver::apg}) {
    asked.options.solver = solver;
    const Explanation e = asked.of(fitted, row)[0];
    ASSERT_EQ(e.hints.size(), 1U) << name_of(solver) << ": " << e.reason;
    EXPECT_EQ(e.hints[0].text, "possible with 6 changes") << name_of(solver);
    EXPECT_EQ(e.reason.find("together"), std::string::npos) << e.reason;
    Count count;
    count.follow(asked, fitted, row);
    EXPECT_EQ(count.tried, 1);
  }
}

// A question with one limit lifted is solved as if the user had asked it, and a row's answer is no worse than
// its hint.
TEST(Hints, miss_nothing_that_the_relaxed_question_has) {
  const test::Credit credit(40);
  const Explainer& fitted = credit.explainer;
  Asked asked{fitted.features(), fitted.options()};
  for (const char* name :
       {"amount", "checking_account", "credit_history", "duration_months", "purpose", "savings"})
    asked[name].immutable = true;
  asked.options.max_changes = 1;
  asked.options.plausible = 0.4;
  Asked more = asked;
  more.options.max_changes = 12;
  const std::vector<Explanation> strict = asked.of(fitted, credit.factuals),
                                 loose = more.of(fitted, credit.factuals);
  int below = 0, many = 0;
  for (std::size_t i = 0; i < strict.size(); ++i) {
    const Explanation& e = strict[i];
    if (e.status == Status::not_found && loose[i].status == Status::valid)
      EXPECT_FALSE(e.hints.empty()) << i << ": " << e.reason;
    for (const Hint& hint : e.hints) {
      many += hint.kind == Kind::changes && hint.value > 3;
      if (hint.kind != Kind::plausible) continue;
      EXPECT_GE(hint.value, e.quantile - 0.0025) << i << ": " << e.reason;
      ++below;
    }
  }
  EXPECT_GT(below, 5);
  EXPECT_GT(many, 0);
}

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
  Asked asked{fitted.features(), fitted.options(), {"amount <= 0.4"}};
  asked["rate"].immutable = true;  // the score does not depend on it
  const Matrix row = test::matrix(1, 3, {0, 0, 0});
  Explanation e = asked.of(fitted, row)[0];
  const std::string rule = "the rule amount <= 0.4", rate = "rate may not change";
  const std::size_t force = e.reason.find("limits that apply: "),
                    block = e.reason.find("limits that block: ");
  ASSERT_TRUE(force != std::string::npos && block != std::string::npos && force < block) << e.reason;
  EXPECT_LT(e.reason.find(rule), block) << e.reason;
  EXPECT_LT(e.reason.find(rate), block) << e.reason;
  EXPECT_NE(e.reason.find("limits that block: " + rule + ";"), std::string::npos) << e.reason;
  asked.options.hints = false;
  e = asked.of(fitted, row)[0];
  EXPECT_NE(e.reason.find(rule), std::string::npos) << e.reason;
  EXPECT_EQ(e.reason.find("block"), std::string::npos) << e.reason;
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
  Asked asked{fitted.features(), fitted.options(), {"rate <= 1"}};
  asked["age"].immutable = true;
  asked["amount"].max = 0.4;
  const Explanation e = asked.of(fitted, test::matrix(1, 3, {0, 0, 0}))[0];
  EXPECT_TRUE(e.hints.empty()) << e.reason;
  const std::size_t at = e.reason.find("possible if these are lifted together: age may become ");
  ASSERT_NE(at, std::string::npos) << e.reason;
  EXPECT_NE(e.reason.find(", amount may become ", at), std::string::npos) << e.reason;
  EXPECT_EQ(e.reason.find("the rule", at), std::string::npos) << e.reason;
  // Lifting the named limits leads to an answer.
  asked["age"].immutable = false;
  asked["amount"].max = 1;
  EXPECT_EQ(asked.of(fitted, test::matrix(1, 3, {0, 0, 0}))[0].status, Status::valid);
}

TEST(Reasons, tell_schema_and_question_apart) {
  const Sum sum(true);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const Matrix row = test::matrix(1, 2, {0.1, 0.2});
  // Neither one change more nor another age alone is enough.
  Options one = sum.options;
  one.max_changes = 1;
  Explanation e = explainer.explain(row, one)[0];
  EXPECT_NE(e.reason.find("with at most 1 change;"), std::string::npos) << e.reason;
  EXPECT_NE(e.reason.find("block together: the closest would change age"), std::string::npos) << e.reason;
  EXPECT_EQ(e.reason.find("lifting limits of the question alone"), std::string::npos) << e.reason;
  // The score cannot get that far at all.
  const auto far = test::linear_model({1, 1}, -3);
  e = Explainer(far, sum.training, sum.options).explain(row, sum.options)[0];
  EXPECT_NE(e.reason.find("every limit but the ranges lifted none was found"), std::string::npos) << e.reason;
  // The reason says which probability was reached.
  Options sure = sum.options;
  sure.probability = 0.99;
  e = explainer.explain(row, sure)[0];
  EXPECT_NE(e.reason.find("the closest candidate reaches a probability of 40.1 %"), std::string::npos)
      << e.reason;
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
  Asked asked{fitted.features(), school.options};
  asked.features[0].direction = Direction::up;
  Explanation e = asked.of(fitted, phd)[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason;
  EXPECT_EQ(e.hints[0].text, "possible if education may fall");
  asked = {fitted.features(), school.options};
  asked.features[0].transitions = {{0}, {0, 1}, {1, 2}};
  e = asked.of(fitted, phd)[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason;
  EXPECT_EQ(e.hints[0].text, "possible if education may become school");
}

// The value of a derived column is named although it does not count as a change.
TEST(Hints, name_the_value_that_a_derived_column_reaches) {
  Sum sum(false);
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
  Asked asked{fitted.features(), sum.options, fitted.rules()};
  asked["total"].max = 1.2;
  const Explanation e = asked.of(fitted, test::matrix(1, 3, {0.1, 0.2, 0.3}))[0];
  ASSERT_EQ(e.hints.size(), 1U) << e.reason;
  EXPECT_EQ(e.hints[0].kind, Kind::upper);
  EXPECT_GE(e.hints[0].reached, 1.5) << e.hints[0].text;
}

// A rule of the schema is recognised by its text, wherever it is in the list.
TEST(Hints, never_lift_a_rule_of_the_schema) {
  Sum sum(false);
  sum.training.rules = {"amount <= 0.4"};
  const Explainer fitted(sum.model, sum.training, sum.options);
  const Asked asked{fitted.features(), sum.options, {"age <= 1", "amount <= 0.4"}};
  const Explanation e = asked.of(fitted, test::matrix(1, 2, {0.1, 0.2}))[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_TRUE(e.hints.empty()) << e.reason;
  EXPECT_NE(e.reason.find("lifting limits of the question alone"), std::string::npos) << e.reason;
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
  Asked asked{fitted.features(), options};
  asked["x"].max = 0.5;
  const Matrix row = test::matrix(1, 2, {0, 0});
  asked.options.hints = false;
  ASSERT_EQ(asked.of(fitted, row)[0].status, Status::not_found);
  asked.options.hints = true;
  const Explanation e = asked.of(fitted, row)[0];
  EXPECT_EQ(e.status, Status::valid) << e.reason;
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
  const Sum sum(false);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const RowLimits limits{{{1, {}, 0.4, false}}};
  for (const Solver solver : {Solver::automatic, Solver::search}) {
    Options options = sum.options;
    options.solver = solver;
    const Explanation e =
        explainer.explain(test::matrix(1, 2, {0.1, 0.2}), options, {}, std::vector<RowLimits>{limits})[0];
    EXPECT_EQ(e.status, Status::not_found);
    EXPECT_NE(e.reason.find("amount <= 0.4"), std::string::npos) << e.reason;
    EXPECT_EQ(e.reason.find("amount <= 1"), std::string::npos) << e.reason;
    ASSERT_EQ(e.hints.size(), 1U) << e.reason;
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
  Asked asked{credit.explainer.features(), credit.explainer.options()};
  asked.freeze_all_but({"duration_months"});
  asked.options.target = 1;
  asked.options.max_changes = 1;
  asked.options.plausible = 0;
  asked.options.probability = 0.97;
  int said = 0;
  for (const Explanation& e : asked.of(credit.explainer, approved)) {
    if (e.status != Status::not_found) continue;
    EXPECT_NE(e.reason.find("nothing has to change without a probability of 97 %"), std::string::npos)
        << e.reason;
    ++said;
  }
  EXPECT_GT(said, 5);
}

// If a stricter question has an answer, a looser one has one too.
TEST(Looser, questions_have_no_fewer_answers) {
  const test::Credit credit(60);
  Asked strict{credit.explainer.features(), credit.explainer.options()};
  strict.rules = {"at most 1 of duration_months, amount", "amount <= 400 * duration_months"};
  strict.options.hints = false;
  strict.options.max_changes = 2;
  Asked loose = strict;
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
