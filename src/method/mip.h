// A sparse linear program over w, with binaries:
//
// clang-format off
//     min  sum_j cost_j |w_j|   s.t.  a_i·w <= b_i,   lo_j z_j <= w_j <= hi_j z_j,   sum_j z_j <= m,   z_j in {0, 1}
// clang-format on
//
// Solved by CBC (COIN-OR's branch and cut; the build option SCFE_MIP). The limits of w serve as big-M
// constants, which makes them as small as they can be.
#pragma once

#include <optional>
#include <vector>

namespace scfe {

struct SparseProgram {
  std::vector<double> cost, lo, hi;  // lo <= 0 <= hi
  std::vector<double> a, b;          // rows of a, one after the other
  int max_changes = 0;
  double seconds = 0;  // 0: no limit
};

// True if the library was built with CBC.
bool has_mip_solver();
// Nothing if there is no answer, or none was found in time. Throws Error if has_mip_solver() is false.
std::optional<std::vector<double>> solve_sparse_program(const SparseProgram& program);

}  // namespace scfe
