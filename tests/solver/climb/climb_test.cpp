// Against every corner with at most two features moved: the best is found almost always, and what is called
// valid is. Against a fine grid over every pair: no farther, almost always.
#include "solver/climb/climb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plausibility/kde/kde.h"
#include "plausibility/none.h"
#include "tests/helper/clouds.h"
#include "tests/helper/parts.h"

namespace scfe {
namespace {

constexpr std::size_t features = 10;
constexpr double required = 0.01;

double length(std::span<const double> w) {
  return std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
}

struct World {
  explicit World(std::uint64_t seed) : model(test::random_network(features, 3, seed)), uniform(seed + 50) {
    parts.query.options.max_changes = 2;
  }

  double margin(const Row& row, std::span<const double> w) {
    Block u(features, 1), anchors(features, 1);
    for (std::size_t j = 0; j < features; ++j) u[j][0] = static_cast<float>(row.factual[j] + w[j]);
    Terms terms(parts.query, 1);
    terms.evaluate(u, anchors, {});
    return terms.margins()[0][0];
  }
  double best_by_force(const Row& row) {
    std::vector<double> w(features);
    double best = -INFINITY;
    for (std::size_t a = 0; a < features; ++a)
      for (std::size_t b = a + 1; b < features; ++b)
        for (const double x : {row.lo[a], row.hi[a]})
          for (const double y : {row.lo[b], row.hi[b]}) {
            w[a] = x;
            w[b] = y;
            best = std::max(best, margin(row, w));
            w[a] = w[b] = 0;
          }
    return best;
  }
  double nearest_by_force(const Row& row) {
    constexpr int places = 20;
    std::vector<double> w(features);
    double best = INFINITY;
    for (std::size_t a = 0; a < features; ++a)
      for (std::size_t b = a + 1; b < features; ++b)
        for (int i = 0; i <= places; ++i)
          for (int k = 0; k <= places; ++k) {
            w[a] = row.lo[a] + (row.hi[a] - row.lo[a]) * i / places;
            w[b] = row.lo[b] + (row.hi[b] - row.lo[b]) * k / places;
            const double distance = std::hypot(w[a], w[b]);
            if (distance < best && margin(row, w) >= required) best = distance;
            w[a] = w[b] = 0;
          }
    return best;
  }
  Row row() {
    Row asked;
    asked.required = required;
    for (std::size_t j = 0; j < features; ++j) {
      asked.factual.push_back(uniform(0, 1));
      asked.lo.push_back(-asked.factual[j]);
      asked.hi.push_back(1 - asked.factual[j]);
    }
    return asked;
  }

  std::shared_ptr<const Model> model;
  Space space = Space(no_scaling(features));
  Validity validity = Validity(3, {.target = 2, .margin = required, .probability = {}});
  NoDensity density = NoDensity(features);
  test::Parts parts{*model, space, validity, density, 2};
  test::Uniform uniform;
};

TEST(Corners, are_as_good_as_the_best_of_all) {
  int best = 0, rows = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    World world(seed);
    std::vector<Row> asked_rows;
    for (int i = 0; i < 20; ++i) asked_rows.push_back(world.row());
    const auto found = climb(world.parts.query, asked_rows, true);
    for (std::size_t i = 0; i < found.size(); ++i, ++rows) {
      const double force = world.best_by_force(asked_rows[i]),
                   own = world.margin(asked_rows[i], found[i].point.w);
      ASSERT_FALSE(found[i].starts.empty());
      EXPECT_LE(std::ranges::count_if(found[i].point.w, [](double x) { return x != 0; }), 2);
      EXPECT_EQ(found[i].point.valid, own >= required);
      best += found[i].point.valid == (force >= required) ? 1 : 0;
    }
  }
  EXPECT_GE(best, 0.95 * rows);
}

TEST(Climb, comes_as_near_as_a_grid_over_all_pairs) {
  int near = 0, possible = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    World world(seed);
    std::vector<Row> asked_rows;
    for (int i = 0; i < 8; ++i) asked_rows.push_back(world.row());
    const auto found = climb(world.parts.query, asked_rows, false);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double force = world.nearest_by_force(asked_rows[i]);
      if (force == INFINITY || world.margin(asked_rows[i], std::vector<double>(features)) >= required)
        continue;
      ++possible;
      if (!found[i].point.valid) continue;
      const std::vector<double>& w = found[i].point.w;
      EXPECT_LE(std::ranges::count_if(w, [](double x) { return x != 0; }), 2);
      EXPECT_GE(world.margin(asked_rows[i], w), required);
      near += length(w) <= 1.1 * force ? 1 : 0;
    }
  }
  ASSERT_GE(possible, 6);
  EXPECT_GE(near, 0.9 * possible);
}

// Where log q is maximised: valid, and nearer than what the climbs that heed it came to.
TEST(Climb, some_do_not_heed_the_density) {
  World world(1);
  Matrix corner(1, features);
  std::ranges::fill(corner.values, 1.0);
  const Kde density(corner, std::vector<double>(features, 10.0), 0);
  test::Parts parts(*world.model, world.space, world.validity, density, 2);
  parts.density.held_out = {0};  // no row but the corner is as typical
  parts.query.options.max_changes = 2;
  int compared = 0;
  for (int i = 0; i < 20; ++i) {
    Row row = world.row();
    row.demand.most_plausible = true;
    const std::vector<Row> rows = {row};
    const auto found = climb(parts.query, rows, false);
    double heeding = INFINITY, heedless = INFINITY;
    for (const Start& start : found[0].starts) {
      std::vector<double> w(features);
      for (std::size_t k = 0; k < start.w.size(); ++k)
        w[static_cast<std::size_t>(start.support[k])] = start.w[k];
      if (world.margin(row, w) < required) continue;
      double& nearest = start.uses_density ? heeding : heedless;
      nearest = std::min(nearest, length(w));
    }
    if (heedless == INFINITY) continue;
    ++compared;
    EXPECT_LE(heedless, heeding + 1e-6);
  }
  EXPECT_GE(compared, 5);
}

}  // namespace
}  // namespace scfe
