// No answer has a change that it could do without.
#include <gtest/gtest.h>

#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"
#include "tests/helper/examples.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using test::Example;

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
std::size_t expect_lean(const Example& c, std::size_t row, const Explanation& e, double plausible) {
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
    std::vector<Example> cases;
    cases.push_back(test::credit_example());
    cases.push_back(test::number_example());
    if (plausible == 0) cases.push_back(test::tree_example());
    for (const Example& c : cases) {
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

}  // namespace
}  // namespace scfe
