// A floor influences which answer is found, but never whether there is one.
#include <gtest/gtest.h>

#include "tests/helper/clouds.h"

namespace scfe::test {
namespace {

// Rows far outside the class, where its density falls by hundreds of nats over one step.
Matrix outside(const Matrix& rows, std::size_t count) {
  Matrix far(count, rows.cols);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) far[i][j] = 3 * rows[i][j];
  return far;
}

// An answer that is called below the floor is below it, whichever stage found it.
TEST(Floor, below_it_means_below_it) {
  const auto model = random_network(6, 1, 73);
  const Training training = labelled_by(*model, 200, 74);
  for (const DensityKind density : {DensityKind::kde, DensityKind::gmm}) {
    Options options;
    options.density = density;
    options.solver = Solver::apg;
    options.step_rule = StepRule::paper;
    options.loss = LossKind::probability;
    options.keep_best = false;
    options.max_changes = 3;
    options.tau = 0.1;
    options.plausible = 0.5;
    const Explainer explainer(model, training, options);
    int below = 0;
    for (const Explanation& e : explainer.explain(training.rows, options)) {
      if (e.status != Status::below_floor) continue;
      ++below;
      EXPECT_LT(e.quantile, 0.5 + 1.0 / 50)
          << name_of(density);  // the floor lies between two rows of the class
    }
    EXPECT_GT(below, 3) << name_of(density);
  }
}

TEST(Floor, loses_no_answer) {
  const auto model = random_network(20, 1, 71);
  const Training training = labelled_by(*model, 200, 72);
  const Matrix factuals = outside(training.rows, 40);
  for (const DensityKind density : {DensityKind::kde, DensityKind::gmm, DensityKind::knn})
    for (const bool stepped : {false, true}) {
      Training given = training;
      given.features.resize(20);
      if (stepped) given.features[3].step = 0.5;  // few values: uses the solver "moves"
      Options options;
      options.density = density;
      options.max_changes = 2;
      options.plausible = 0.2;
      const Explainer explainer(model, given, options);
      const auto typical = explainer.explain(factuals, options);
      options.plausible = 0;
      options.fewest_first = false;
      const auto closest = explainer.explain(factuals, options);
      int answered = 0;
      for (std::size_t i = 0; i < factuals.rows; ++i) {
        answered += closest[i].found() && closest[i].status != Status::already;
        EXPECT_TRUE(typical[i].found() || !closest[i].found()) << name_of(density) << ' ' << i;
        EXPECT_TRUE(typical[i].status != Status::below_floor || typical[i].quantile < 0.2)
            << name_of(density) << ' ' << i;
      }
      EXPECT_GT(answered, 5) << name_of(density);
    }
}

}  // namespace
}  // namespace scfe::test
