// The exact solver against plain enumeration: every writable value of every feature, every support.
#include "solver/exact/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <set>

#include "support/parallel.h"
#include "tests/solver/exact/random_ensemble.h"

namespace scfe {
namespace {

using test::CaseMaker;
using test::TreeCase;

// All that a feature may become. Numbers without a step: the first value on either side of each split that
// is told apart from it, found by trying one unit of the ninth digit after the other.
std::vector<double> choices(const TreeCase& c, std::size_t f) {
  const double own = c.instance.values[f];
  std::set<double> values;
  if (c.space.is_category(f)) {
    for (const int level : c.instance.levels[f]) values.insert(level);
  } else {
    const std::size_t column = c.space.first(f);
    const double lo = c.instance.lo[column] < 0 ? std::min(own, *c.features[f].min) : own,
                 hi = c.instance.hi[column] > 0 ? std::max(own, *c.features[f].max) : own;
    const double step = c.writing.step[f];
    if (step > 0) {
      for (double k = std::ceil(lo / step); k * step <= hi; ++k) values.insert(k * step);
    } else {
      std::vector<double> inputs(c.space.inputs()), row = c.instance.values;
      row[f] = 1e6;
      c.space.to_inputs(row, inputs);
      const auto input = static_cast<std::uint32_t>(std::ranges::find(inputs, 1e6) - inputs.begin());
      std::set<double> splits;
      for (const Ensemble::Node& node : c.ensemble.nodes) {
        if (node.split == Ensemble::Split::leaf || node.input != input) continue;
        if (node.split == Ensemble::Split::threshold) splits.insert(node.threshold);
        for (int code = -1; code < 12 && node.split == Ensemble::Split::codes; ++code) splits.insert(code);
      }
      for (const double t : splits) {
        const double size = std::max(std::abs(t), 1e-30),
                     unit = std::pow(10, std::floor(std::log10(size)) - 8);
        for (int away = -300; away <= 300; ++away) {
          const double x = c.writing.nearest(f, t + away * unit);
          if (x >= lo && x <= hi) values.insert(x);
        }
        for (const double x : {-2e-38, 2e-38})
          if (t == 0 && x >= lo && x <= hi) values.insert(x);
      }
      // Of values that no split tells apart, the nearest to x_f is enough.
      std::set<double> kept;
      std::set<std::vector<bool>> seen;
      std::vector<double> order(values.begin(), values.end());
      std::ranges::sort(order, [&](double a, double b) { return std::abs(a - own) < std::abs(b - own); });
      for (const double x : order) {
        std::vector<bool> sides;
        for (const Ensemble::Node& node : c.ensemble.nodes)
          if (node.split != Ensemble::Split::leaf && node.input == input)
            sides.push_back(c.ensemble.goes_left(node, x));
        sides.push_back(x > own);
        if (seen.insert(sides).second) kept.insert(x);
      }
      values = kept;
    }
  }
  values.erase(own);
  return {values.begin(), values.end()};
}

struct Oracle {
  const TreeCase& c;
  const ExactOptions& options;
  std::vector<std::vector<double>> values;
  double best = INFINITY;

  bool valid(const std::vector<double>& row) const {
    std::vector<double> x(c.space.inputs()), z(c.ensemble.base.size());
    c.space.to_inputs(row, x);
    c.ensemble.scores(x, z);
    const auto y = static_cast<std::size_t>(options.target);
    double margin = INFINITY, others = 0;
    if (options.lo || options.hi) {
      return z[0] >= options.lo.value_or(-INFINITY) + options.required &&
             z[0] <= options.hi.value_or(INFINITY) - options.required;
    }
    if (z.size() == 1) {
      margin = y == 1 ? z[0] : -z[0];
    } else {
      for (std::size_t k = 0; k < z.size(); ++k) {
        if (k == y) continue;
        margin = std::min(margin, z[y] - z[k]);
        others += std::exp(z[k] - z[y]);
      }
      if (options.by_probability) margin = -std::log(others);
    }
    return margin >= options.required && (options.by_probability || margin > 0);
  }

  void run(std::vector<double>& row, std::size_t from, int left, double cost) {
    if (cost >= best) return;
    if (valid(row)) best = cost;
    if (left == 0) return;
    for (std::size_t f = from; f < values.size(); ++f) {
      const double own = row[f];
      for (const double value : values[f]) {
        row[f] = value;
        run(row, f + 1, left - 1, cost + c.space.cost(f, own, value));
      }
      row[f] = own;
    }
  }
};

void expect_plain_enumeration_on_500_random_ensembles(const Proximity& proximity) {
  Pool pool(1);
  int feasible = 0, changed = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CaseMaker maker(seed, proximity);
    TreeCase c = maker.make();
    ExactOptions options;
    options.max_changes = maker.random().integer(1, 3);
    options.fewest_first = false;
    const std::size_t scores = c.ensemble.base.size();
    options.target = maker.random().integer(0, scores == 1 ? 1 : static_cast<int>(scores) - 1);
    options.by_probability = maker.random().chance(0.2);
    options.required = options.by_probability ? maker.random()(-0.5, 0.5) : 1e-4;
    if (scores == 1 && c.ensemble.link == Ensemble::Link::logit && maker.random().chance(0.3)) {
      if (maker.random().chance(0.7)) options.lo = maker.random()(-1, 1);
      if (!options.lo || maker.random().chance(0.7)) options.hi = options.lo.value_or(-1) + 0.3;
      options.required = 1e-4;
      options.by_probability = false;
    }
    c.instance.required = options.required;
    Found found;
    exact_rows({c.ensemble, c.space, c.writing, options}, {&c.instance, 1}, {&found, 1}, pool);

    Oracle oracle{c, options, {}};
    for (std::size_t f = 0; f < c.features.size(); ++f) oracle.values.push_back(choices(c, f));
    std::vector<double> row = c.instance.values;
    oracle.run(row, 0, options.max_changes, 0);

    ASSERT_TRUE(found.proven) << seed;
    if (std::isinf(oracle.best)) {
      EXPECT_EQ(found.status, Status::not_found) << seed;
      continue;
    }
    ++feasible;
    changed += oracle.best > 0;
    ASSERT_EQ(found.status, oracle.best == 0 ? Status::already : Status::valid) << seed;
    EXPECT_TRUE(oracle.valid(found.values)) << seed;
    EXPECT_NEAR(std::sqrt(cost_of(c, found.values)), std::sqrt(oracle.best), 1e-6) << seed;
  }
  EXPECT_GT(feasible, 200);
  EXPECT_GT(changed, 100);
}

TEST(Exact, equals_plain_enumeration_on_500_random_ensembles) {
  expect_plain_enumeration_on_500_random_ensembles({});
}

TEST(Exact, equals_plain_enumeration_for_lengths) {
  expect_plain_enumeration_on_500_random_ensembles({.squared = false});
}

}  // namespace
}  // namespace scfe
