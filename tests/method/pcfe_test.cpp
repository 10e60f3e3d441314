#include <gtest/gtest.h>

#include <cmath>

#include "method/leaves.h"
#include "method/pcfe_program.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::Uniform;
using test::unit_space;

double left_side(const Ellipsoid& e, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += (x[i] - e.centre[i]) * e.shape[i * x.size() + j] * (x[j] - e.centre[j]);
  return sum;
}

// The threshold as the paper defines it, computed directly for two Gaussians in the plane.
TEST(Pcfe, ellipsoids_end_at_the_median_of_the_class) {
  GaussianMixture mixture{{0.3, 0.7}, Matrix(2, 2), Matrix(4, 2), true};
  mixture.means.values = {0.2, 0.3, 0.7, 0.6};
  mixture.covariances.values = {0.02, 0.005, 0.005, 0.01, 0.03, -0.01, -0.01, 0.02};
  Uniform random(1);
  Matrix rows(31, 2);
  for (double& value : rows.values) value = random.unit();
  const std::vector<Ellipsoid> ellipsoids = plausible_ellipsoids(mixture, rows);
  ASSERT_EQ(ellipsoids.size(), 2U);
  const auto offset = [&](std::size_t k) {
    const std::span<const double> s = mixture.part(mixture.covariances, k);
    return -2 * std::log(mixture.weights[k]) + 2 * std::log(2 * M_PI) + std::log(s[0] * s[3] - s[1] * s[2]);
  };
  const auto side = [&](std::size_t k, std::span<const double> x) {
    const std::span<const double> s = mixture.part(mixture.covariances, k);
    const double a = x[0] - mixture.means[k][0], b = x[1] - mixture.means[k][1];
    return (s[3] * a * a - 2 * s[1] * a * b + s[0] * b * b) / (s[0] * s[3] - s[1] * s[2]) + offset(k);
  };
  std::vector<double> least;
  for (std::size_t i = 0; i < rows.rows; ++i) least.push_back(std::min(side(0, rows[i]), side(1, rows[i])));
  std::sort(least.begin(), least.end());
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(ellipsoids[k].radius + offset(k), least[15], 1e-9);
    const std::vector<double> x = {0.4, 0.9};
    EXPECT_NEAR(left_side(ellipsoids[k], x) + offset(k), side(k, x), 1e-9);
  }
}

TEST(Pcfe, nothing_on_a_grid_is_closer) {
  Uniform random(2);
  int found = 0;
  for (int c = 0; c < 40; ++c) {
    const auto model = c % 2 == 0
                           ? test::linear_model({random(-2, 2), random(-2, 2), random(-2, 2)}, random(-1, 1))
                           : dense_network({{test::random_matrix(3, 3, random), {0.1, 0, -0.1}, "none"}});
    const Pieces pieces(*model, unit_space(3), 1);
    Ellipsoid e{std::vector<double>(9), {random.unit(), random.unit(), random.unit()}, random(0.3, 1)};
    std::vector<double> root(9);
    for (double& value : root) value = random(-2, 2);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          e.shape[i * 3 + j] += root[i * 3 + k] * root[j * 3 + k] + (i == j ? 0.3 : 0);
    const std::vector<double> factual = {random.unit(), random.unit(), random.unit()};
    std::vector<double> lo, hi, weight;
    for (std::size_t j = 0; j < 3; ++j) {
      lo.push_back(c % 5 == 0 && j == 1 ? 0 : -factual[j]);
      hi.push_back(c % 5 == 0 && j == 1 ? 0 : 1 - factual[j]);
      weight.push_back(random(0.5, 2));
    }
    const bool l1 = c % 4 < 2;
    const PcfeAnswer answer = solve_pcfe_program({factual, lo, hi, weight, e, &pieces, 1e-3, l1});
    double best = INFINITY;
    constexpr int cells = 60;
    for (int n = 0; n < (cells + 1) * (cells + 1) * (cells + 1); ++n) {
      const std::array<int, 3> at = {n % (cells + 1), n / (cells + 1) % (cells + 1),
                                     n / (cells + 1) / (cells + 1)};
      std::vector<double> x(3);
      double cost = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        const double w = lo[j] + (hi[j] - lo[j]) * at[j] / cells;
        x[j] = factual[j] + w;
        cost += l1 ? std::sqrt(weight[j]) * std::abs(w) : weight[j] * w * w;
      }
      if (cost < best && left_side(e, x) <= e.radius && pieces.smallest_margin(x) >= 1e-3) best = cost;
    }
    if (answer.w.empty()) {
      EXPECT_EQ(best, INFINITY) << c;
      continue;
    }
    ++found;
    std::vector<double> x = factual;
    double cost = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      x[j] += answer.w[j];
      cost += l1 ? std::sqrt(weight[j]) * std::abs(answer.w[j]) : weight[j] * answer.w[j] * answer.w[j];
      EXPECT_GE(answer.w[j], lo[j] - 1e-9);
      EXPECT_LE(answer.w[j], hi[j] + 1e-9);
    }
    EXPECT_NEAR(cost, answer.cost, 1e-6) << c;
    EXPECT_LE(left_side(e, x), e.radius + 1e-9) << c;
    EXPECT_GE(pieces.smallest_margin(x), 1e-3 - 1e-9) << c;
    EXPECT_LE(answer.cost, best + 1e-6) << c;
    if (std::isfinite(best)) EXPECT_GE(answer.cost, best - 0.12) << c;
  }
  EXPECT_GT(found, 15);
}

TEST(Pcfe, leaves_are_the_boxes_of_the_class) {
  Ensemble tree;
  tree.inputs = 2;
  tree.base = {0};
  tree.roots = {0};
  tree.nodes.resize(5);
  tree.nodes[0] = {.split = Ensemble::Split::threshold, .input = 0, .left = 1, .right = 2, .threshold = 0.5};
  tree.nodes[2] = {.split = Ensemble::Split::threshold, .input = 1, .left = 3, .right = 4, .threshold = -1};
  for (const std::size_t leaf : {1U, 3U, 4U}) {
    tree.nodes[leaf].first = static_cast<std::uint32_t>(tree.values.size());
    tree.values.push_back({0, leaf == 3 ? 1.0 : -1.0});
    tree.nodes[leaf].last = static_cast<std::uint32_t>(tree.values.size());
  }
  EXPECT_TRUE(is_single_tree(tree));
  const std::vector<LeafBox> leaves = leaves_of_class(tree, 1);
  ASSERT_EQ(leaves.size(), 1U);
  EXPECT_EQ(leaves[0].above[0], 0.5);
  EXPECT_EQ(leaves[0].up_to[1], -1);
  EXPECT_EQ(leaves_of_class(tree, 0).size(), 2U);
}

}  // namespace
}  // namespace scfe
