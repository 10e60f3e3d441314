// Compares every operator of the catalogue with brute force: 10^5 one-feature problems each.
//
// The objective, times 2 step and without its constant v², is  w (w - 2 v) + 2 step sparsity(w). The prox
// must be no worse than the best point of a grid over the box (including 0, lo, hi and clamp(v)), refined
// around its three best points. Tolerance: 1e-6 of the size of the terms, since sparsity(w) is a float.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sparsity/lengths.h"
#include "sparsity/prox.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

constexpr std::size_t cases = 100'000, block = 1000;
constexpr std::size_t coarse = 41, fine = 9, around = 3, rounds = 6;

struct Case {
  double v, step, lo, hi;
};

Case random_case(Uniform& uniform) {
  const double scale = uniform.chance(0.1) ? 0 : uniform.logarithmic(0.01, 10);
  Case c{uniform(-2, 2), uniform.logarithmic(1e-3, 1e3), -scale * uniform.unit(), scale * uniform.unit()};
  if (uniform.chance(0.05)) c.v = 0;
  if (uniform.chance(0.05)) c.v *= 1e6;
  if (uniform.chance(0.05)) c.v *= 1e-6;
  if (uniform.chance(0.05)) c.step = 1e20;
  if (uniform.chance(0.1)) c.lo = 0;
  if (uniform.chance(0.1)) c.hi = 0;
  return c;
}

struct Point {
  double w, cost, size;
};

// The best point of a grid over [lo, hi]. sparsity(w) comes from the operator, for many points at a time.
class Grid {
 public:
  Grid(const Prox& prox, const Case& c) : prox_(prox), case_(c) {}

  Point best() {
    std::vector<double> w{0, case_.lo, case_.hi, std::clamp(case_.v, case_.lo, case_.hi)};
    double width = (case_.hi - case_.lo) / (coarse - 1);
    for (std::size_t i = 0; i < coarse; ++i) w.push_back(case_.lo + width * static_cast<double>(i));
    std::vector<Point> points = costs(w);
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::size_t kept = std::min(around, points.size());
      std::partial_sort(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(kept), points.end(),
                        [](const Point& a, const Point& b) { return a.cost < b.cost; });
      points.resize(kept);
      w.clear();
      for (const Point& point : points)
        for (std::size_t i = 0; i < fine; ++i)
          w.push_back(point.w + width * (2.0 * static_cast<double>(i) / (fine - 1) - 1));
      for (double& x : w) x = std::clamp(x, case_.lo, case_.hi);
      for (const Point& point : costs(w)) points.push_back(point);
      width *= 2.0 / (fine - 1);
    }
    return *std::min_element(points.begin(), points.end(),
                             [](const Point& a, const Point& b) { return a.cost < b.cost; });
  }

  std::vector<Point> costs(const std::vector<double>& w) {
    if (lanes_.capacity() < w.size()) lanes_ = Block(1, 64);
    lanes_.set_lanes(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) lanes_[0][i] = static_cast<float>(w[i]);
    prox_.value(lanes_, value_);
    std::vector<Point> points;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double x = lanes_[0][i], paid = 2 * case_.step * value_[i];
      points.push_back({x, x * (x - 2 * case_.v) + paid, x * x + 2 * std::fabs(case_.v * x) + paid});
    }
    return points;
  }

 private:
  const Prox& prox_;
  Case case_;
  Block lanes_;
  float value_[64] = {};
};

class ProxBruteForce : public testing::TestWithParam<ProxRow> {};

// `make` gives the operator of each block of cases.
template <class Make>
void expect_no_better_grid_point(Make make) {
  Uniform uniform(1);
  std::size_t failures = 0, moved = 0, at_bound = 0;
  for (std::size_t done = 0; done < cases; done += block) {
    const double beta = done == 0 ? 0 : uniform.logarithmic(1e-3, 10);
    const std::unique_ptr<Prox> prox = make(beta, uniform);
    Block v(1, block), w(1, block);
    Box box{Block(1, block), Block(1, block)};
    std::vector<float> step(block);
    for (std::size_t i = 0; i < block; ++i) {
      const Case c = random_case(uniform);
      v[0][i] = static_cast<float>(c.v);
      step[i] = static_cast<float>(c.step);
      box.lo[0][i] = static_cast<float>(c.lo);
      box.hi[0][i] = static_cast<float>(c.hi);
    }
    prox->prox(v, step.data(), box, w);
    for (std::size_t i = 0; i < block; ++i) {
      ASSERT_TRUE(w[0][i] >= box.lo[0][i] && w[0][i] <= box.hi[0][i]);
      Grid grid(*prox, {v[0][i], step[i], box.lo[0][i], box.hi[0][i]});
      const Point got = grid.costs({w[0][i]})[0], best = grid.best();
      moved += got.w != 0;
      at_bound += got.w != 0 && (w[0][i] == box.lo[0][i] || w[0][i] == box.hi[0][i]);
      if (got.cost <= best.cost + 1e-6 * std::max(got.size, best.size)) continue;
      if (++failures <= 5)
        ADD_FAILURE() << "beta " << beta << " v " << v[0][i] << " step " << step[i] << " box " << box.lo[0][i]
                      << " " << box.hi[0][i] << ": " << got.w << " costs " << got.cost << ", " << best.w
                      << " costs " << best.cost;
    }
  }
  EXPECT_EQ(failures, 0U) << "of " << cases;
  EXPECT_GT(moved, cases / 20) << "the cases must not all be trivial";
  EXPECT_GT(at_bound, cases / 50) << "boxes must bind";
}

TEST_P(ProxBruteForce, no_grid_point_is_better) {
  expect_no_better_grid_point(
      [](double beta, Uniform&) { return GetParam().make({.beta = beta, .max_changes = 1, .group = {}}); });
}

TEST_P(ProxBruteForce, nor_with_lengths_as_the_proximity) {
  expect_no_better_grid_point([](double beta, Uniform& uniform) {
    const double weight = uniform.logarithmic(1e-3, 10);
    return with_lengths(GetParam().make({.beta = beta, .max_changes = 1, .group = {}}), {&weight, 1});
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, ProxBruteForce,
                         testing::ValuesIn(prox_catalogue().begin(), prox_catalogue().end()),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

}  // namespace
}  // namespace scfe
