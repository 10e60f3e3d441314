// No answer has a change that it could do without; a path that goes on where it was ends where a search of
// its own would.
#include <gtest/gtest.h>

#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

struct Case {
  std::string name;
  Explainer explainer;
  Matrix factuals;
};

Case credit_case() {
  test::Credit credit(40);
  return {"german credit", std::move(credit.explainer), std::move(credit.factuals)};
}

Case tree_case() {
  const auto model = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const Training training = test::labelled_by(*model, 200, 3);
  Options options;
  options.density = DensityKind::none;
  return {"trees", Explainer(model, training, options), test::first_rows(training.rows, 25)};
}

Case number_case() {
  const auto model = test::random_network(6, 1, 3);
  const Training training = test::labelled_by(*model, 150, 4);
  return {"numbers", Explainer(model, training), test::first_rows(training.rows, 25)};
}

// The answer with one of its changes taken back.
std::vector<double> without(const Explainer& explainer, std::span<const double> factual, const Explanation& e,
                            std::size_t feature) {
  std::size_t input = 0;
  for (std::size_t f = 0; f < feature; ++f) input += explainer.features()[f].width();
  std::vector<double> row = e.counterfactual;
  for (std::size_t i = input; i < input + explainer.features()[feature].width(); ++i) row[i] = factual[i];
  return row;
}

// How many changes were looked at.
std::size_t expect_lean(const Case& c, std::size_t row, const Explanation& e, double plausible) {
  if (e.status != Status::valid || e.changes.size() < 2) return 0;
  for (const FeatureChange& change : e.changes) {
    const std::vector<double> fewer = without(c.explainer, c.factuals[row], e, change.feature);
    const bool valid = c.explainer.predict(test::one_row(fewer))[0] == e.target;
    const bool typical =
        plausible == 0 || Diagnostics(c.explainer).typicality(c.factuals[row], fewer, e.target).log_density >=
                              Diagnostics(c.explainer).floor(e.target, plausible);
    EXPECT_FALSE(valid && typical) << c.name << ", floor " << plausible << ", row " << row << ": "
                                   << c.explainer.features()[change.feature].name << " is redundant";
  }
  return e.changes.size();
}

TEST(Redundant, no_answer_has_such_a_change) {
  for (const double plausible : {0.0, 0.1}) {
    std::vector<Case> cases;
    cases.push_back(credit_case());
    cases.push_back(number_case());
    if (plausible == 0) cases.push_back(tree_case());
    for (const Case& c : cases) {
      Options options = c.explainer.options();
      options.hints = false;
      options.plausible = plausible;
      std::size_t looked_at = 0;
      for (const Diverse diverse : {Diverse::features, Diverse::values}) {
        options.diverse = diverse;
        options.answers = 4;
        const auto lists = c.explainer.explain_all(c.factuals, options);
        for (std::size_t i = 0; i < lists.size(); ++i)
          for (const Explanation& e : lists[i]) looked_at += expect_lean(c, i, e, plausible);
      }
      options.answers = 1;
      options.path = true;
      const auto paths = c.explainer.explain_all(c.factuals, options);
      for (std::size_t i = 0; i < paths.size(); ++i)
        for (const Explanation& e : paths[i]) looked_at += expect_lean(c, i, e, plausible);
      EXPECT_GE(looked_at, 50U) << c.name << ", floor " << plausible;
    }
  }
}

// One of four numbers decides: there is one answer, however many are asked for.
TEST(Redundant, a_change_that_does_nothing_makes_no_other_answer) {
  const auto model = test::linear_model({1, 0, 0, 0}, -0.5);
  const Training training = test::labelled_by(*model, 100, 5);
  Options options;
  options.density = DensityKind::none;
  options.target = 1;
  options.answers = 3;
  options.hints = false;
  const Explainer explainer(model, training, options);
  const Matrix factual = test::matrix(1, 4, {-0.4, 0.1, 0.2, 0.3});
  EXPECT_EQ(explainer.explain_all(factual, options)[0].size(), 1U);
  options.diverse = Diverse::values;
  const auto list = explainer.explain_all(factual, options)[0];
  EXPECT_EQ(list.size(), 3U);
  for (const Explanation& e : list) {
    ASSERT_EQ(e.changes.size(), 1U);
    EXPECT_EQ(e.changes[0].feature, 0U);
  }
}

TEST(Path, ends_where_a_search_of_its_own_does) {
  std::vector<Case> cases;
  cases.push_back(credit_case());
  cases.push_back(number_case());
  cases.push_back(tree_case());
  for (const Case& c : cases) {
    Options options = c.explainer.options();
    options.hints = false;
    options.fewest_first = false;
    const std::vector<Explanation> alone = c.explainer.explain(c.factuals, options);
    options.path = true;
    const auto paths = c.explainer.explain_all(c.factuals, options);
    std::size_t farther = 0, answered = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      if (alone[i].status != Status::valid) continue;
      ++answered;
      const Explanation& end = paths[i].back();
      EXPECT_EQ(end.proof, alone[i].proof) << c.name;
      EXPECT_EQ(end.status, Status::valid) << c.name << ", row " << i;
      farther += end.l2 > 1.01 * alone[i].l2;
    }
    EXPECT_GE(answered, 10U) << c.name;
    EXPECT_LE(20 * farther, answered) << c.name;
    if (c.name == "trees") EXPECT_EQ(farther, 0U);
  }
}

}  // namespace
}  // namespace scfe
