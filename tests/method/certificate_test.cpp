#include "method/certificate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/network/bounds.h"
#include "tests/helper/clouds.h"
#include "tests/helper/reference.h"
#include "tests/helper/shared.h"

namespace scfe {
namespace {

using test::Uniform;
using test::unit_space;

std::shared_ptr<const Model> deep_network(std::size_t features, std::size_t width, std::size_t scores,
                                          std::uint64_t seed) {
  Uniform random(seed);
  std::vector<Layer> layers;
  for (const auto& [in, out] : {std::pair{features, width}, {width, width}, {width, scores}}) {
    Layer layer{Matrix(out, in), std::vector<double>(out), "relu"};
    for (double& w : layer.weight.values) w = random(-1, 1);
    for (double& b : layer.bias) b = random(-0.3, 0.3);
    layers.push_back(std::move(layer));
  }
  layers.back().activation = "none";
  return dense_network(std::move(layers));
}

TEST(Bounds, hold_at_every_point_and_are_exact_where_nothing_is_open) {
  Uniform random(3);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto model = deep_network(3, 6, seed % 2 == 0 ? 1 : 3, seed);
    const Pieces pieces(*model, unit_space(3), 0);
    const double size = seed % 4 == 0 ? 1e-6 : 0.7;
    std::vector<double> lo, hi;
    for (int j = 0; j < 3; ++j) {
      lo.push_back(random(-1, 0.5));
      hi.push_back(lo.back() + size);
    }
    NetworkBounds bounds(pieces.layers);
    std::vector<Unit> units(pieces.hidden(), Unit::open);
    ASSERT_TRUE(bounds.compute(lo, hi, units));
    for (int k = 0; k < 200; ++k) {
      std::vector<double> x;
      for (std::size_t j = 0; j < 3; ++j) x.push_back(random(lo[j], hi[j]));
      const AffineMap map = where(pieces, pattern_at(pieces, x));
      for (std::size_t r = 0; r < map.offset.size(); ++r) {
        double value = map.offset[r], up = bounds.upper(r)[3], down = bounds.lower(r)[3];
        for (std::size_t j = 0; j < 3; ++j) {
          value += map.slope[r][j] * x[j];
          up += bounds.upper(r)[j] * x[j];
          down += bounds.lower(r)[j] * x[j];
        }
        EXPECT_LE(value, up + 1e-9);
        EXPECT_GE(value, down - 1e-9);
        if (bounds.widest_open(units) == bounds.hidden()) EXPECT_NEAR(up, down, 1e-9);
      }
    }
  }
}

// No valid point of a grid with at most m changes costs less than the bound, and the best one costs hardly
// more than the optimum that was found.
void expect_agreement_with_a_grid(const Proximity& proximity) {
  Uniform random(4);
  int found = 0, none = 0, loose = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto model = deep_network(3, 5, seed % 3 == 0 ? 3 : 1, 100 + seed);
    std::vector<double> factual, weight, lo, hi;
    for (int j = 0; j < 3; ++j) {
      factual.push_back(random(-0.5, 0.5));
      weight.push_back(random(0.5, 2));
      lo.push_back(random(-1, -0.2));
      hi.push_back(random(0.2, 1));
    }
    Pieces pieces(*model, unit_space(3), 0);
    if (pieces.smallest_margin(factual) >= 0) pieces = Pieces(*model, unit_space(3), 1);
    if (pieces.smallest_margin(factual) >= 0) continue;
    const double required = 1e-3;
    for (std::size_t m = 1; m <= 2; ++m) {
      const Certificate c = certify({pieces, factual, weight, lo, hi, required, m, INFINITY, {}, proximity});
      EXPECT_TRUE(c.complete);
      double best = INFINITY;
      constexpr int cells = 80;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = m == 1 ? a : a + 1; b < (m == 1 ? a + 1 : 3); ++b)
          for (int i = 0; i <= cells; ++i)
            for (int k = 0; k <= (m == 1 ? 0 : cells); ++k) {
              std::vector<double> x = factual;
              const double p = lo[a] + (hi[a] - lo[a]) * i / cells, q = lo[b] + (hi[b] - lo[b]) * k / cells;
              x[a] += p;
              if (m == 2) x[b] += q;
              if (pieces.smallest_margin(x) < required) continue;
              best = std::min(best,
                              proximity.cost(weight[a], p) + (m == 2 ? proximity.cost(weight[b], q) : 0.0));
            }
      if (std::isinf(c.cost)) {
        EXPECT_EQ(best, INFINITY) << seed;
        ++none;
        continue;
      }
      ++found;
      EXPECT_GE(best, c.lower_bound - 1e-9) << seed;
      EXPECT_LE(std::sqrt(c.cost), std::sqrt(best) + 1e-9) << seed;
      loose += c.lower_bound < (1 - 2e-4) * c.cost - 1e-9;
      std::vector<double> x = factual;
      double cost = 0;
      std::size_t changed = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        x[j] += c.closest[j];
        cost += proximity.cost(weight[j], c.closest[j]);
        changed += c.closest[j] != 0;
      }
      EXPECT_NEAR(cost, c.cost, 1e-12);
      EXPECT_LE(changed, m);
      EXPECT_GE(pieces.smallest_margin(x), required - 1e-7);
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(none, 2);
  // Multipliers of lengths may be inexact where many cuts meet in a point; the bound holds, but is not tight.
  EXPECT_LE(loose, proximity.squared ? 0 : 1);
}

TEST(Certificate, agrees_with_a_grid) { expect_agreement_with_a_grid({}); }
TEST(Certificate, agrees_with_a_grid_for_lengths) { expect_agreement_with_a_grid({.squared = false}); }

TEST(Certificate, time_up_leaves_a_bound_that_holds) {
  const auto model = deep_network(8, 12, 1, 7);
  Pieces pieces(*model, unit_space(8), 0);
  const std::vector<double> factual(8, 0.1), weight(8, 1.0), lo(8, -1.0), hi(8, 1.0);
  if (pieces.smallest_margin(factual) >= 0) pieces = Pieces(*model, unit_space(8), 1);
  const Certificate whole = certify({pieces, factual, weight, lo, hi, 1e-4, 3, INFINITY});
  const Certificate late =
      certify({pieces, factual, weight, lo, hi, 1e-4, 3, INFINITY, std::chrono::steady_clock::now()});
  EXPECT_TRUE(whole.complete);
  EXPECT_FALSE(late.complete);
  EXPECT_LE(late.lower_bound, whole.cost);
}

// limits_wine.json comes from an exhaustive search over every support, with a grid and a refinement. It is
// never below a proven bound, and nearly always at the optimum.
TEST(Certificate, bounds_the_exhaustive_search_on_wine) {
  SCFE_NEEDS_SHARED("reference/limits_wine.json");
  const test::Reference wine = test::load_reference("wine", "mlp");
  const nlohmann::json limits = test::read_json(test::shared_dir() / "reference" / "limits_wine.json");
  const Space space{wine.scaling};
  int compared = 0, equal = 0;
  for (const auto& entry : limits["entries"]) {
    if (entry["density"] != "none" || !entry["feasible"].get<bool>() || entry["m"].get<int>() > 2) continue;
    const auto x = entry["x_f"].get<std::vector<double>>();
    std::vector<double> factual, lo, hi;
    for (std::size_t j = 0; j < x.size(); ++j) {
      factual.push_back(space.to_work(j, x[j]));
      lo.push_back(std::min(0.0, -factual[j]));
      hi.push_back(std::max(0.0, 1 - factual[j]));
    }
    const Pieces pieces(*wine.model, space, entry["target"]);
    if (pieces.smallest_margin(factual) >= 1e-4) continue;
    const std::vector<double> weight(x.size(), 1.0);
    const Certificate c =
        certify({pieces, factual, weight, lo, hi, 1e-4 - 1e-5, entry["m"].get<std::size_t>(), INFINITY});
    const double l2 = entry["l2"];
    EXPECT_TRUE(c.complete);
    EXPECT_GE(l2, std::sqrt(c.lower_bound) * (1 - 1e-5)) << entry["i"] << " " << entry["m"];
    equal += l2 <= std::sqrt(c.cost) * 1.001;
    ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GE(equal, 0.95 * compared) << equal << " of " << compared;
}

}  // namespace
}  // namespace scfe
