// With more than 64 features not all supports can be tried. The default must still find an answer wherever
// the paper's algorithm finds one.
#include <gtest/gtest.h>

#include "scfe/explainer.h"
#include "tests/helper/clouds.h"

namespace scfe::test {
namespace {

TEST(ManyFeatures, the_default_answers_what_the_papers_steps_answer) {
  constexpr std::size_t features = 80, classes = 6;
  int theirs = 0, ours = 0;
  for (const std::uint64_t seed : {11, 12}) {
    const auto model = random_network(features, classes, seed);
    const Training training = labelled_by(*model, 300, seed + 100);
    const Matrix factuals = first_rows(training.rows, 40);
    std::vector<Target> targets;
    for (std::size_t i = 0; i < factuals.rows; ++i) targets.push_back((training.labels[i] + 1) % classes);
    Options options;
    options.density = DensityKind::none;
    options.max_changes = 2;
    const Explainer explainer(model, training, options);
    Options paper = options;
    paper.solver = Solver::apg;
    paper.step_rule = StepRule::paper;
    const auto own = explainer.explain(factuals, options, targets);
    const auto other = explainer.explain(factuals, paper, targets);
    for (std::size_t i = 0; i < own.size(); ++i) {
      theirs += other[i].found();
      ours += own[i].found();
      EXPECT_TRUE(own[i].found() || !other[i].found()) << "seed " << seed << ", row " << i;
    }
  }
  EXPECT_GT(theirs, 40);
  EXPECT_LT(ours, 80);
}

}  // namespace
}  // namespace scfe::test
