// The closest point of one live polytope: where a pattern of a ReLU network holds, the network is linear.
//
//     min  sum weight w²  or  sum sqrt(weight) |w|       w = x - x_f
//     s.t. units as the pattern says, margins >= required, lo <= w <= hi, at most m of w not 0
//          and if asked  |x - x_i| <= |x - x_k| for every other row k of the class   (Voronoi cell of row i),
//                        |x - x_i| <= reach                                          (LOF with k = 1)
//
// l2 without a limit on changes, and l1 without one: a convex program (convex.h). l1 with one: a MIP (mip.h).
// l2 with one: branch and bound over supports. A row a·w <= b that w = 0 misses by n costs on a support S at
// least n² / sum over S of a_j² / weight_j; supports that cannot be closer than the best are not solved.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <vector>

namespace scfe {

struct PolytopeProgram {
  std::span<const double> weight, lo, hi;
  std::vector<double> a, b;  // rows a·w <= b, one after the other
  // A ball around a point, in w; radius 0: none.
  std::vector<double> centre;
  double radius = 0;
  bool l1 = false;
  std::size_t max_changes = 0;  // as many as there are columns: no limit
  double seconds = 0;           // of a MIP; 0: no limit
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  std::size_t columns() const { return weight.size(); }
  std::size_t rows() const { return b.size(); }
  std::span<double> add_row(double bound);
};

struct PolytopeAnswer {
  std::vector<double> w;
  double cost = 0;
};
// Nothing if the polytope holds no answer that costs less than `cutoff`. When the deadline passes: the best
// so far.
std::optional<PolytopeAnswer> solve_polytope(const PolytopeProgram& program, double cutoff);

}  // namespace scfe
