// Regression tests: cases that once went wrong.
#include <gtest/gtest.h>

#include <algorithm>

#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/explainer.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::random_network;

TEST(ExplainerCases, the_default_suits_a_table_with_fewer_features_than_changes) {
  const auto model = random_network(2, 1, 3);
  const Training training = labelled_by(*model, 60, 4);
  EXPECT_EQ(Explainer(model, training).explain(first_rows(training.rows, 5)).size(), 5U);
}

TEST(ExplainerCases, apg_leaves_rows_alone_that_are_in_the_target_class) {
  const auto model = random_network(4, 1, 5);
  const Training training = labelled_by(*model, 100, 6);
  Options options;
  options.density = DensityKind::none;
  options.solver = Solver::apg;
  options.iterations = 30;
  options.target = 1;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 20);
  for (const Explanation& e : explainer.explain(factuals, options)) {
    EXPECT_EQ(e.status == Status::already, e.predicted == 1);
    if (e.predicted == 1) EXPECT_TRUE(e.changes.empty());
  }
}

TEST(ExplainerCases, a_class_without_training_rows_has_no_floor) {
  const auto model = random_network(4, 3, 5);
  Training training = labelled_by(*model, 60, 6);
  for (int& label : training.labels) label = label == 2 ? 0 : label;
  const Diagnostics diagnostics{Explainer(model, training)};
  EXPECT_THROW(diagnostics.floor(2, 0.1), Error);
}

TEST(ExplainerCases, a_probability_that_does_not_win_is_refused) {
  const auto model = random_network(3, 1, 7);
  const Training training = labelled_by(*model, 60, 8);
  Options options;
  options.probability = 0.3;
  EXPECT_THROW(Explainer(model, training, options), Error);
}

TEST(ExplainerCases, typicality_is_measured_where_no_floor_is_asked_for) {
  const auto model = random_network(4, 1, 9);
  const Training training = labelled_by(*model, 120, 10);
  Options options;
  options.plausible = 0;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 20);
  const auto answers = explainer.explain(factuals, options);
  for (const Explanation& e : answers) EXPECT_NE(e.log_density, 0) << e.reason();
}

// A candidate that is not valid after rounding must not end the search for one with more changes.
TEST(ExplainerCases, coarse_steps_lose_nothing_to_fewest_first) {
  const auto model = random_network(5, 1, 11);
  Training training = labelled_by(*model, 200, 12);
  training.features.resize(5);
  for (Feature& feature : training.features) feature.step = 0.5;
  Options options;
  options.density = DensityKind::kde;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 40);
  const auto fewest = explainer.explain(factuals, options);
  options.fewest_first = false;
  const auto closest = explainer.explain(factuals, options);
  const auto valid = [](const std::vector<Explanation>& answers) {
    return std::count_if(answers.begin(), answers.end(),
                         [](const Explanation& e) { return e.status == Status::valid; });
  };
  EXPECT_GE(valid(closest), 25);
  EXPECT_GE(valid(fewest), valid(closest) - 1);
}

// Answers found before the time limit are kept, so a longer limit never gives far fewer answers.
TEST(ExplainerCases, a_time_limit_keeps_what_was_found) {
  const auto model = random_network(6, 1, 13);
  const Training training = labelled_by(*model, 150, 14);
  Options options;
  options.threads = 1;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 30);
  // From too short for any row to long enough for all: on the way some are answered and others are not.
  int partly = 0;
  std::size_t open = factuals.rows;
  for (double limit = 1e-4; open > 0 && limit < 1000; limit *= 1.2) {
    options.time_limit = limit;
    open = 0;
    const auto answers = explainer.explain(factuals, options);
    Matrix rows(factuals.rows, factuals.cols);
    for (std::size_t i = 0; i < factuals.rows; ++i)
      std::copy(answers[i].counterfactual.begin(), answers[i].counterfactual.end(), rows[i].begin());
    const std::vector<int> predicted = explainer.predict(rows);
    for (std::size_t i = 0; i < factuals.rows; ++i) {
      if (answers[i].found())
        EXPECT_EQ(predicted[i], answers[i].target) << limit << " row " << i;
      else
        EXPECT_EQ(answers[i].status, Status::time_limit)
            << limit << " row " << i << ": " << answers[i].reason();
      open += answers[i].found() ? 0 : 1;
    }
    partly += open > 0 && open < factuals.rows;
  }
  EXPECT_EQ(open, 0U);
  EXPECT_GE(partly, 1);
  options.time_limit = 1000;
  for (const Explanation& e : explainer.explain(factuals, options)) EXPECT_FALSE(e.timed_out);
}

}  // namespace
}  // namespace scfe
