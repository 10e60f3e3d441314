#include "method/convex.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/search/qp.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

double row_at(const ConvexProgram& p, std::size_t i, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += p.a[i * x.size() + j] * x[j];
  return sum;
}

double ellipsoid_at(const ConvexProgram& p, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += (x[i] - p.centre[i]) * p.shape[i * x.size() + j] * (x[j] - p.centre[j]);
  return sum;
}

bool holds(const ConvexProgram& p, const std::vector<double>& x) {
  for (std::size_t i = 0; i < p.rows(); ++i)
    if (row_at(p, i, x) > p.b[i]) return false;
  return p.shape.empty() || ellipsoid_at(p, x) <= p.radius;
}

double value_at(const ConvexProgram& p, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += (p.q[j] * x[j] + p.c[j]) * x[j];
  return sum;
}

ConvexProgram random_program(Uniform& random, std::size_t n, bool quadratic, bool round) {
  ConvexProgram p(n);
  for (std::size_t j = 0; j < n; ++j) {
    p.q[j] = quadratic ? random(0.2, 3) : 0;
    p.c[j] = random(-1, 1);
    p.add_box(j, random(-1, -0.1), random(0.1, 1));
  }
  for (int i = 0; i < 4; ++i) {
    const std::span<double> row = p.add_row(random(-0.3, 0.5));
    for (double& a : row) a = random(-1, 1);
  }
  if (!round) return p;
  std::vector<double> root(n * n);
  for (double& value : root) value = random(-1, 1);
  p.shape.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      p.shape[i * n + j] = i == j ? 0.5 : 0.0;
      for (std::size_t k = 0; k < n; ++k) p.shape[i * n + j] += root[i * n + k] * root[j * n + k];
    }
  for (std::size_t j = 0; j < n; ++j) p.centre.push_back(random(-0.4, 0.4));
  p.radius = random(0.05, 0.6);
  return p;
}

// No feasible point of a fine grid is better; and if one is feasible, there is an answer.
TEST(Convex, nothing_on_a_grid_is_better) {
  Uniform random(1);
  int feasible = 0, infeasible = 0;
  for (int c = 0; c < 60; ++c) {
    const ConvexProgram p = random_program(random, 2, c % 2 == 0, c % 3 != 0);
    const ConvexAnswer answer = solve_convex(p, std::vector<double>(2, 0.0));
    double best = INFINITY;
    constexpr int cells = 400;
    for (int i = 0; i <= cells; ++i)
      for (int k = 0; k <= cells; ++k) {
        const std::vector<double> x = {-1 + 2.0 * i / cells, -1 + 2.0 * k / cells};
        if (holds(p, x)) best = std::min(best, value_at(p, x));
      }
    (answer.feasible ? feasible : infeasible) += 1;
    if (!answer.feasible) {
      EXPECT_EQ(best, INFINITY) << c;
      continue;
    }
    EXPECT_TRUE(holds(p, answer.x)) << c;
    EXPECT_NEAR(answer.value, value_at(p, answer.x), 1e-12);
    EXPECT_LE(answer.value, best + 1e-8) << c;
    if (std::isfinite(best)) EXPECT_GE(answer.value, best - 0.05) << c;
  }
  EXPECT_GT(feasible, 20);
  EXPECT_GT(infeasible, 2);
}

// Compares with a second solver, the dual method of solver/search/qp.h, and its lower bound.
TEST(Convex, agrees_with_the_dual_method) {
  Uniform random(2);
  int solved = 0;
  for (int c = 0; c < 40; ++c) {
    const std::size_t n = 3 + static_cast<std::size_t>(c % 8);
    ConvexProgram p(n);
    Qp qp(n, 4);
    qp.reset(n);
    for (std::size_t j = 0; j < n; ++j) {
      p.q[j] = qp.weight[j] = random(0.2, 3);
      qp.lo[j] = random(-1, -0.1);
      qp.hi[j] = random(0.1, 1);
      p.add_box(j, qp.lo[j], qp.hi[j]);
    }
    for (int i = 0; i < 3; ++i) {
      const double b = random(0, 0.5);
      const std::span<double> row = p.add_row(-b), cut = qp.add_cut(b);
      for (std::size_t j = 0; j < n; ++j) row[j] = -(cut[j] = random(-1, 1));
    }
    const ConvexAnswer answer = solve_convex(p, std::vector<double>(n, 0.0));
    qp.solve();
    if (!answer.feasible) {
      EXPECT_GT(qp.cut_shortfall(), 0) << c;
      continue;
    }
    ++solved;
    EXPECT_GE(answer.value, qp.bound() - 1e-8) << c;
    EXPECT_NEAR(answer.value, qp.bound(), 1e-6) << c;
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(answer.x[j], qp.solution()[j], 1e-3) << c;
  }
  EXPECT_GT(solved, 15);
}

TEST(Convex, a_set_without_inside_has_no_answer) {
  ConvexProgram p(1);
  p.q[0] = 1;
  p.add_box(0, -1, 1);
  p.add_row(-2)[0] = 1;
  EXPECT_FALSE(solve_convex(p, std::vector<double>{0.0}).feasible);
}

}  // namespace
}  // namespace scfe
