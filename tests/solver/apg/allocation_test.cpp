// A polish allocates nothing once it has started. (apg_test.cpp checks the same of apg.)
#include <gtest/gtest.h>

#include "plausibility/catalogue.h"
#include "solver/search/polish.h"
#include "tests/helper/allocations.h"
#include "tests/helper/clouds.h"
#include "tests/helper/parts.h"
#include "tests/plausibility/own_density.h"

namespace scfe {
namespace {

struct Fixture {
  std::shared_ptr<const Model> model = test::random_network(6, 1, 3, "tanh");
  Training training = test::labelled_by(*model, 120, 4);
  Scaling scaling = min_max_scaling(training.rows);
  Space space{scaling};
  Validity validity{1, {.target = 1, .margin = 1e-4, .probability = {}}};
  FittedDensity fitted;
  explicit Fixture(const DensityRow& row)
      : fitted(row.fit(scaling.to_work(training.rows), test::given_to(row, {}, 6))) {}
};

TEST(Allocation, a_polish_makes_none_after_its_start) {
  for (const DensityRow& row : density_catalogue()) {
    const Fixture fixture(row);
    const test::Parts parts(*fixture.model, fixture.space, fixture.validity, *fixture.fitted.density);
    Terms terms(parts.query, 1);
    const std::vector<double> weight(6, 1.0);
    Goal goal;
    goal.weight = weight;
    goal.margin = 1e-4;
    goal.with_floor = true;
    goal.floor = floor_at(fixture.fitted, 0.5);
    Row asked;
    asked.factual.assign(6, 0.4);
    asked.values.assign(6, 0.0);
    asked.lo.assign(6, -0.4);
    asked.hi.assign(6, 0.6);
    Polish polish(parts.query, 3);
    Qp qp(3, Validity::max_rivals + Polish::max_cuts);
    const std::vector<int> support{0, 2, 5};
    polish.start(asked, goal, {.rounds = 50, .region = 0.5, .tolerance = 1e-9}, support,
                 std::vector<double>{0.1, 0.1, 0.1});
    Block u(6, 1), anchors(6, 1);
    int rounds = 0;
    terms.evaluate(u, anchors, {1, true, true});  // a density of the user's own makes its buffers
    const long before = test::allocations();
    for (; polish.active(); ++rounds) {
      Point& point = polish.trial();
      for (std::size_t j = 0; j < 6; ++j) u[j][0] = 0.4F;
      for (std::size_t i = 0; i < support.size(); ++i)
        u[static_cast<std::size_t>(support[i])][0] += static_cast<float>(point.w[i]);
      terms.evaluate(u, anchors, {1, true, true});
      point.margin[0] = terms.margins()[0][0];
      point.log_density = terms.log_density()[0];
      for (std::size_t j = 0; j < 6; ++j) {
        point.margin_gradient[j] = terms.margin_gradient(0)[j][0];
        point.density_gradient[j] = terms.density_gradient()[j][0];
      }
      for (std::size_t k = 0; k < point.weights.size(); ++k) point.weights[k] = terms.weights()[k][0];
      polish.digest(qp);
    }
    EXPECT_EQ(test::allocations(), before) << row.name;
    EXPECT_GT(rounds, 2) << row.name;
  }
}

}  // namespace
}  // namespace scfe
