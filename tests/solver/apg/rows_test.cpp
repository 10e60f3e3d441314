// Rows that are mapped to allowed rows and rows that are not, side by side: each gets what it gets alone.
#include "solver/apg/rows.h"

#include <gtest/gtest.h>

#include "plausibility/none.h"
#include "tests/helper/clouds.h"
#include "tests/helper/parts.h"

namespace scfe {
namespace {

constexpr std::size_t features = 5;

std::vector<Row> random_rows(std::size_t count) {
  test::Uniform random(3);
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    Row& row = rows[i];
    for (std::size_t j = 0; j < features; ++j) {
      row.factual.push_back(random(0.2, 0.8));
      row.lo.push_back(-row.factual[j]);
      row.hi.push_back(1 - row.factual[j]);
    }
    row.values = row.factual;
    row.anchor.resize(features);
    row.levels.resize(features);
    row.required = i % 2 == 0 ? 1e-4 : -2;  // every second row is valid before anything moves
    if (i % 3 == 0) row.demand.allows = [](std::span<const double> values) { return values[0] <= 0.75; };
    if (i % 4 == 0) row.floor = -1;
  }
  return rows;
}

TEST(ApgRows, a_row_gets_the_same_bits_beside_rows_that_land) {
  const auto model = test::random_network(features, 1, 5);
  const Space space = test::unit_space(features);
  const NoDensity density(features);
  const Validity validity(1, {.target = 1, .margin = 0, .probability = {}});
  const std::vector<Row> rows = random_rows(24);
  const auto prox = make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 2, .group = {}});
  const ApgOptions options{.iterations = 40, .sections = 4};
  Weights weights;
  weights.proximity = SquaredL2(std::vector<double>(features, 1.0));
  weights.kappa = 1;  // so that the first step leaves rows that are valid already
  const ApgRun run{
      .weights = weights, .prox = *prox, .options = options, .keep_supports = 3, .most_changes = 2};
  int compared = 0, unmoved = 0;
  for (const std::size_t threads : {1, 3}) {
    test::Parts parts(*model, space, validity, density, threads);
    parts.writing.step.assign(features, 0.0);
    std::vector<ApgFound> together(rows.size());
    apg_rows(parts.query, run, rows, together);
    for (std::size_t i = 0; i < rows.size(); ++i, ++compared) {
      ApgFound alone;
      apg_rows(parts.query, run, {&rows[i], 1}, {&alone, 1});
      EXPECT_EQ(alone.w, together[i].w) << i;
      EXPECT_EQ(alone.margin, together[i].margin) << i;
      EXPECT_EQ(alone.cost, together[i].cost) << i;
      EXPECT_EQ(alone.valid, together[i].valid) << i;
      EXPECT_EQ(alone.meets_floor, together[i].meets_floor) << i;
      EXPECT_EQ(alone.gradients, together[i].gradients) << i;
      EXPECT_EQ(alone.supports, together[i].supports) << i;
      unmoved += alone.valid && alone.w == std::vector<double>(features, 0.0);
    }
  }
  EXPECT_EQ(compared, 48);
  EXPECT_GE(unmoved, 8);  // these are answers only where w = 0 is judged
}

}  // namespace
}  // namespace scfe
