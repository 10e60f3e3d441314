// The closest point in one live polytope, the region of one activation pattern, where the network is linear:
//
//     min  sum weight w²  or  sum sqrt(weight) |w|       w = x - x_f
//     s.t. units as the pattern says, margins >= required, lo <= w <= hi, at most m of w not 0
//          and if asked  |x - x_i| <= |x - x_k| for every other row k of the class   (Voronoi cell of row i),
//                        |x - x_i| <= reach                                          (LOF with k = 1)
//
// Without a limit on changes this is a convex program (convex.h). With one it is a MIP for l1 (mip.h), and
// for l2 branch and bound over supports: meeting a constraint a·w <= b that w = 0 violates by n costs on a
// support S at least n² / sum over S of a_j² / weight_j. Supports that cannot be closer are not solved.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "support/deadline.h"

namespace scfe {

struct PolytopeProgram {
  std::span<const double> weight, lo, hi;
  std::vector<double> a, b;  // rows a·w <= b, one after the other
  // A ball around a point, in w; radius 0: none.
  std::vector<double> centre;
  double radius = 0;
  bool l1 = false;
  std::size_t max_changes = 0;  // as many as there are columns: no limit
  double seconds = 0;           // time limit of the MIP; 0: none
  Deadline deadline = {};

  std::size_t columns() const { return weight.size(); }
  std::size_t rows() const { return b.size(); }
  std::span<double> add_row(double bound);
};

struct PolytopeAnswer {
  std::vector<double> w;
  double cost = 0;
};
// Nothing if no answer costs less than `cutoff`. After the deadline: the best answer so far.
std::optional<PolytopeAnswer> solve_polytope(const PolytopeProgram& program, double cutoff);

}  // namespace scfe
