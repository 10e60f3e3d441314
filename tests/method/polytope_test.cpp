#include "method/polytope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "method/convex.h"
#include "method/mip.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

struct Made {
  std::vector<double> weight, lo, hi;
  PolytopeProgram program() const {
    return {.weight = weight, .lo = lo, .hi = hi, .a = {}, .b = {}, .centre = {}};
  }
};

Made made(Uniform& random, std::size_t d) {
  Made m;
  for (std::size_t j = 0; j < d; ++j) {
    m.weight.push_back(random(0.5, 2));
    m.lo.push_back(random.chance(0.15) ? 0 : random(-1, -0.1));
    m.hi.push_back(m.lo[j] == 0 ? 0 : random(0.1, 1));
  }
  return m;
}

void add_random_rows(Uniform& random, PolytopeProgram& p) {
  for (int i = 0; i < 5; ++i) {
    const std::span<double> row = p.add_row(i < 2 ? random(-0.4, -0.1) : random(0, 0.4));
    for (double& a : row) a = random(-1, 1);
  }
}

double cost_of(const PolytopeProgram& p, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j)
    sum += p.l1 ? std::sqrt(p.weight[j]) * std::abs(w[j]) : p.weight[j] * w[j] * w[j];
  return sum;
}

void expect_inside(const PolytopeProgram& p, const std::vector<double>& w) {
  std::size_t changed = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    EXPECT_GE(w[j], p.lo[j] - 1e-7);
    EXPECT_LE(w[j], p.hi[j] + 1e-7);
    changed += w[j] != 0;
  }
  EXPECT_LE(changed, p.max_changes);
  for (std::size_t i = 0; i < p.rows(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += p.a[i * w.size() + j] * w[j];
    EXPECT_LE(sum, p.b[i] + 1e-6);
  }
}

// The best cost over all supports of that many columns, each solved with the other columns fixed.
double by_enumeration(const Made& made, const PolytopeProgram& program) {
  const std::size_t d = program.columns();
  double best = INFINITY;
  for (unsigned mask = 0; mask < (1U << d); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) != program.max_changes) continue;
    Made shut = made;
    for (std::size_t j = 0; j < d; ++j)
      if ((mask >> j & 1U) == 0) shut.lo[j] = shut.hi[j] = 0;
    PolytopeProgram p = shut.program();
    p.a = program.a;
    p.b = program.b;
    p.l1 = program.l1;
    p.centre = program.centre;
    p.radius = program.radius;
    p.max_changes = d;
    if (const auto found = solve_polytope(p, INFINITY)) best = std::min(best, found->cost);
  }
  return best;
}

TEST(Polytope, branch_and_bound_over_supports_finds_what_enumeration_finds) {
  Uniform random(1);
  int found = 0, none = 0;
  for (int c = 0; c < 60; ++c) {
    const Made m = made(random, 6);
    PolytopeProgram p = m.program();
    add_random_rows(random, p);
    p.max_changes = 1 + static_cast<std::size_t>(c % 3);
    if (c % 4 == 0) {
      for (int j = 0; j < 6; ++j) p.centre.push_back(random(-0.2, 0.2));
      p.radius = random(0.2, 0.8);
    }
    const auto answer = solve_polytope(p, INFINITY);
    const double best = by_enumeration(m, p);
    EXPECT_EQ(answer.has_value(), std::isfinite(best)) << c;
    (answer ? found : none) += 1;
    if (!answer) continue;
    expect_inside(p, answer->w);
    EXPECT_NEAR(answer->cost, cost_of(p, answer->w), 1e-12);
    EXPECT_NEAR(answer->cost, best, 1e-7 * (1 + best)) << c;
    EXPECT_FALSE(solve_polytope(p, answer->cost * (1 - 1e-6)).has_value());
  }
  EXPECT_GT(found, 15);
  EXPECT_GT(none, 3);
}

// With a deadline in the past only the first supports are tried: there is an answer, but not the best.
TEST(Polytope, branch_and_bound_ends_with_the_time) {
  Uniform random(2);
  int hurried = 0;
  for (int c = 0; c < 12; ++c) {
    const Made m = made(random, 12);
    PolytopeProgram p = m.program();
    add_random_rows(random, p);
    p.max_changes = 5;  // of 792 supports
    const auto best = solve_polytope(p, INFINITY);
    p.deadline = std::chrono::steady_clock::now();
    const auto early = solve_polytope(p, INFINITY);
    if (early) expect_inside(p, early->w);
    EXPECT_TRUE(best || !early) << c;
    if (best && early) EXPECT_GE(early->cost, best->cost - 1e-9) << c;
    hurried += best && (!early || early->cost > best->cost * (1 + 1e-9));
  }
  EXPECT_GT(hurried, 0);
}

// Compares two solvers: CBC with binaries finds what the barrier method finds on the best support.
TEST(Polytope, the_mip_finds_what_enumeration_finds) {
  if (!has_mip_solver()) GTEST_SKIP() << "built without a MIP solver (SCFE_MIP)";
  Uniform random(2);
  int found = 0;
  for (int c = 0; c < 40; ++c) {
    const Made m = made(random, 6);
    PolytopeProgram p = m.program();
    add_random_rows(random, p);
    p.l1 = true;
    p.max_changes = 1 + static_cast<std::size_t>(c % 3);
    const auto answer = solve_polytope(p, INFINITY);
    const double best = by_enumeration(m, p);
    EXPECT_EQ(answer.has_value(), std::isfinite(best)) << c;
    if (!answer) continue;
    ++found;
    expect_inside(p, answer->w);
    EXPECT_NEAR(answer->cost, best, 1e-5) << c;
  }
  EXPECT_GT(found, 10);
}

}  // namespace
}  // namespace scfe
