// Hints and reasons of rows without a valid answer: following a hint exactly must lead to an answer.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/answer/asked.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using Kind = Hint::Kind;

TEST(Hints, are_true) {
  const test::Credit credit(40);
  const Explainer& fitted = credit.explainer;
  const test::Asked plain{fitted.features(), fitted.options()};
  test::FollowedHints count;

  test::Asked frozen = plain;
  for (const char* name :
       {"checking_account", "duration_months", "credit_history", "savings", "other_debtors"})
    frozen[name].immutable = true;
  frozen.options.max_changes = 1;
  frozen.options.plausible = 0.25;
  count.follow(frozen, fitted, credit.factuals);

  test::Asked narrow = plain;
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
  test::Asked more = narrow;
  more.features = plain.features;
  more.freeze_all_but({"duration_months", "amount"});
  more["duration_months"].max = 36;
  more["amount"].max = 5000;
  count.follow(more, fitted, approved);

  test::Asked ruled = plain;
  ruled.options.plausible = 0;
  ruled.options.max_changes = 2;
  ruled.freeze_all_but({"duration_months", "amount"});
  ruled.rules = {"duration_months >= 20", "at most 1 of duration_months, amount"};
  count.follow(ruled, fitted, credit.factuals);

  test::Asked sure = plain;
  sure.options.plausible = 0;
  sure.options.max_changes = 1;
  sure.options.probability = 0.9;
  count.follow(sure, fitted, credit.factuals);
  sure.options.probability = 0;
  sure.options.robust = 0.08;
  count.follow(sure, fitted, credit.factuals);

  test::Asked rows = narrow;
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
  test::Asked asked{fitted.features(), fitted.options()};
  asked.options.solver = Solver::apg;
  asked.options.iterations = 50;
  test::FollowedHints count;
  test::Asked frozen = asked;
  for (const char* name : {"checking_account", "credit_history", "savings", "other_debtors"})
    frozen[name].immutable = true;
  frozen.options.max_changes = 1;
  frozen.options.plausible = 0.25;
  count.follow(frozen, fitted, credit.factuals);
  test::Asked narrow = asked;
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
      EXPECT_NE(e.reason().find("the closest candidate misses the target by"), std::string::npos)
          << e.reason();
      EXPECT_NE(e.reason().find("limits that apply: "), std::string::npos) << e.reason();
      EXPECT_EQ(e.reason().find("limits that block: ") != std::string::npos, !e.hints.empty()) << e.reason();
    }
}

TEST(Hints, do_not_offer_what_the_schema_forbids) {
  const test::SumModel sum(true);
  const Explainer explainer(sum.model, sum.training, sum.options);
  const Explanation e = explainer.explain(test::matrix(1, 2, {0.1, 0.2}), sum.options)[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_TRUE(e.hints.empty());
  EXPECT_NE(e.reason().find("possible without limits of the schema"), std::string::npos) << e.reason();
  EXPECT_NE(e.reason().find("would change age"), std::string::npos) << e.reason();
  // If the same limit comes from the question, a hint lifts it.
  const test::SumModel unfrozen(false);
  std::vector<Feature> features = Explainer(unfrozen.model, unfrozen.training, unfrozen.options).features();
  features[0].immutable = true;
  const Explanation asked = Explainer(unfrozen.model, unfrozen.training, unfrozen.options)
                                .with_features(features)
                                .explain(test::matrix(1, 2, {0.1, 0.2}), unfrozen.options)[0];
  ASSERT_EQ(asked.hints.size(), 1U) << asked.reason();
  EXPECT_EQ(asked.hints[0].text, "possible if age may change");
}

// The row's own lower limit is above the question's upper one: no value is left, and the hint lifts the
// question's limit.
TEST(Hints, of_a_row_whose_limits_leave_nothing) {
  const test::SumModel sum(false);
  const Explainer fitted(sum.model, sum.training, sum.options);
  test::Asked asked{fitted.features(), sum.options};
  asked["amount"].max = 0.4;
  asked.limits.features = {{1, 0.6, {}, false}};
  const Explanation e = asked.of(fitted, test::matrix(1, 2, {0.1, 0.2}))[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_NE(e.reason().find("amount has no room: at least 0.6, at most 0.4"), std::string::npos)
      << e.reason();
  EXPECT_EQ(e.reason().find("may not change"), std::string::npos) << e.reason();
  ASSERT_EQ(e.hints.size(), 1U) << e.reason();
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
  test::Asked asked{fitted.features(), options};
  asked.features[0].immutable = true;  // a limit that does not matter here
  const Matrix row(1, 9);
  for (const Solver solver : {Solver::automatic, Solver::search, Solver::apg}) {
    asked.options.solver = solver;
    const Explanation e = asked.of(fitted, row)[0];
    ASSERT_EQ(e.hints.size(), 1U) << name_of(solver) << ": " << e.reason();
    EXPECT_EQ(e.hints[0].text, "possible with 6 changes") << name_of(solver);
    EXPECT_EQ(e.reason().find("together"), std::string::npos) << e.reason();
    test::FollowedHints count;
    count.follow(asked, fitted, row);
    EXPECT_EQ(count.tried, 1);
  }
}

// A question with one limit lifted is solved as if the user had asked it, and a row's answer is no worse than
// its hint.
TEST(Hints, miss_nothing_that_the_relaxed_question_has) {
  const test::Credit credit(40);
  const Explainer& fitted = credit.explainer;
  test::Asked asked{fitted.features(), fitted.options()};
  for (const char* name :
       {"amount", "checking_account", "credit_history", "duration_months", "purpose", "savings"})
    asked[name].immutable = true;
  asked.options.max_changes = 1;
  asked.options.plausible = 0.4;
  test::Asked more = asked;
  more.options.max_changes = 12;
  const std::vector<Explanation> strict = asked.of(fitted, credit.factuals),
                                 loose = more.of(fitted, credit.factuals);
  int below = 0, many = 0;
  for (std::size_t i = 0; i < strict.size(); ++i) {
    const Explanation& e = strict[i];
    if (e.status == Status::not_found && loose[i].status == Status::valid)
      EXPECT_FALSE(e.hints.empty()) << i << ": " << e.reason();
    for (const Hint& hint : e.hints) {
      many += hint.kind == Kind::changes && hint.value > 3;
      if (hint.kind != Kind::plausible) continue;
      EXPECT_GE(hint.value, e.quantile - 0.0025) << i << ": " << e.reason();
      ++below;
    }
  }
  EXPECT_GT(below, 5);
  EXPECT_GT(many, 0);
}

}  // namespace
}  // namespace scfe
