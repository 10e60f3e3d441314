#include "scfe/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/credit.h"

namespace scfe {
namespace {

// The measures against the rows of one class, each computed on its own.
struct Oracle {
  Diagnostics diagnostics;
  Matrix rows;
  Lof lof;
  LogDensity kde;

  Oracle(const Explainer& explainer, int target)
      : diagnostics(explainer),
        rows(diagnostics.class_rows(target)),
        lof(rows, 7, diagnostics.groups()),
        kde(DensityKind::kde, rows, diagnostics.groups()) {}

  void expect(const AnswerMetrics& got, const Explanation& e) const {
    Matrix inputs(1, e.counterfactual.size());
    inputs.values = e.counterfactual;
    const Matrix point = diagnostics.to_work_space(inputs);
    EXPECT_NEAR(got.change.l2, e.l2, 1e-9);
    EXPECT_EQ(got.change.l0, e.changes.size());
    EXPECT_EQ(got.lof, lof(point[0]));
    EXPECT_EQ(got.log_kde, kde(point[0]));
    double least = INFINITY;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      double square = 0;
      for (std::size_t j = 0; j < rows.cols; ++j) square += std::pow(rows[i][j] - point[0][j], 2);
      least = std::min(least, std::sqrt(square));
    }
    EXPECT_NEAR(got.nearest, least, 1e-9);
    EXPECT_EQ(got.below_floor, e.status == Status::below_floor);
  }
};

TEST(Compare, measures_what_each_method_answers) {
  const test::Credit credit(20);
  Options options;
  options.plausible = 0.9;  // not every row has so typical an answer
  options.max_changes = 1;
  options.lof_neighbours = 7;
  std::vector<Setting> settings = {{"ours", credit.explainer, options},
                                   {"nearest", credit.explainer, options},
                                   {"pcfe", credit.explainer, options}};
  settings[1].options.method = Method::nearest;
  settings[2].options.method = Method::pcfe;
  const std::vector<Compared> found = compare(credit.factuals, settings, credit.explainer, options);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].reason.substr(0, 7), "method:") << "pcfe is for linear scores";
  EXPECT_EQ(found[2].report.answers, 0U);

  const Oracle oracle(credit.explainer, 1);
  std::size_t valid = 0, below = 0;
  for (const std::size_t s : {0, 1}) {
    EXPECT_EQ(found[s].reason, "");
    const std::vector<Explanation> answers = credit.explainer.explain(credit.factuals, settings[s].options);
    ASSERT_EQ(found[s].answers.size(), answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const AnswerMetrics& got = found[s].answers[i];
      EXPECT_EQ(got.row, i);
      EXPECT_EQ(got.valid, answers[i].found());
      EXPECT_GE(got.seconds, 0);
      if (!got.valid) continue;
      oracle.expect(got, answers[i]);
      ++valid;
      below += *got.below_floor ? 1 : 0;
    }
    EXPECT_EQ(found[s].report.answers, answers.size());
  }
  EXPECT_GT(valid, 10U);
  EXPECT_GT(below, 2U);
  EXPECT_LT(below, valid);
  EXPECT_EQ(below, *found[0].report.below_floor + *found[1].report.below_floor);

  Options unmeasurable = options;  // an error of the measure is none of the method
  unmeasurable.lof_neighbours = 0;
  EXPECT_THROW(compare(credit.factuals, {settings.data(), 1}, credit.explainer, unmeasurable), Error);

  settings[0].options.method = Method::cem_pp;  // its rows keep the class
  EXPECT_THROW(compare(credit.factuals, settings, credit.explainer, {}), Error);
}

}  // namespace
}  // namespace scfe
