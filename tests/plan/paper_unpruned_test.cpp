// The paper's algorithm returns what its iteration returns: exactly m changes, also those that validity alone
// does not need and that are there for the density.
#include <gtest/gtest.h>

#include "plan/catalogue.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"

namespace scfe::test {
namespace {

TEST(PaperUnpruned, only_solvers_that_grow_supports_are_pruned) {
  int pruned = 0, kept = 0;
  for (const SolverRow& solver : solver_catalogue()) {
    EXPECT_NE(solver.is_pruned, solver.moves_all) << solver.name;
    ++(solver.is_pruned ? pruned : kept);
  }
  EXPECT_GT(pruned, 0);
  EXPECT_GT(kept, 0);
}

// True if the answer keeps its class when one of its changes is taken back.
bool could_do_with_less(const Explainer& explainer, std::span<const double> factual, const Explanation& e) {
  for (const FeatureChange& change : e.changes) {
    std::vector<double> fewer = e.counterfactual;
    fewer[change.feature] = factual[change.feature];
    if (explainer.predict(one_row(fewer))[0] == e.target) return true;
  }
  return false;
}

TEST(PaperUnpruned, exact_m_changes_exactly_m_features) {
  const auto model = random_network(6, 1, 3);
  const Training training = labelled_by(*model, 150, 4);
  std::size_t answers = 0, with_more_than_needed = 0;
  for (const DensityKind density : {DensityKind::kde, DensityKind::gmm, DensityKind::knn})
    for (const int m : {2, 3}) {
      Options options;
      options.density = density;
      options.solver = Solver::apg;
      options.max_changes = m;
      options.plausible = 0;
      const Explainer explainer(model, training, options);
      const auto explained = explainer.explain(training.rows, options);
      for (std::size_t i = 0; i < explained.size(); ++i) {
        if (explained[i].status != Status::valid) continue;
        ++answers;
        EXPECT_EQ(explained[i].changes.size(), static_cast<std::size_t>(m)) << name_of(density) << ' ' << i;
        with_more_than_needed += could_do_with_less(explainer, training.rows[i], explained[i]);
      }
    }
  EXPECT_GT(answers, 300);
  EXPECT_GT(with_more_than_needed, 100);  // without these the test would say nothing
}

}  // namespace
}  // namespace scfe::test
