// Small convex programs, by the barrier method (Boyd and Vandenberghe 2004, chapter 11):
//
//     min  sum_j q_j x_j² + c·x                                        q >= 0
//     s.t. a_i·x <= b_i,   and if asked  (x - centre)' P (x - centre) <= radius
//
// Newton's method on  t · objective - sum log(slack), with t growing until the duality gap m / t is
// negligible. A first phase finds a strictly feasible point, or finds that there is none. All matrices are
// dense: for tens of variables and hundreds of constraints, solved to many digits. The feasible set must be
// bounded and have an interior.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scfe {

inline constexpr double no_room = 1e-12;  // a variable with a narrower range counts as fixed

struct ConvexProgram {
  std::vector<double> q, c;   // one entry per variable
  std::vector<double> a, b;   // rows of a, one after the other
  std::vector<double> shape;  // P, variables x variables; empty: no ellipsoid
  std::vector<double> centre;
  double radius = 0;

  explicit ConvexProgram(std::size_t variables) : q(variables), c(variables) {}
  std::size_t variables() const { return q.size(); }
  std::size_t rows() const { return b.size(); }
  std::span<double> add_row(double bound);  // adds a·x <= bound; fill in a, which is 0 at first
  void add_box(std::size_t variable, double lo, double hi);
};

struct ConvexAnswer {
  bool feasible = false;
  std::vector<double> x;  // strictly feasible
  double value = 0;
};

// The first phase starts at `start`.
ConvexAnswer solve_convex(const ConvexProgram& program, std::span<const double> start);

}  // namespace scfe
