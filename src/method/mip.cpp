#include "method/mip.h"

#include "scfe/error.h"

#ifdef SCFE_HAS_MIP

#include <CbcModel.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <mutex>

namespace scfe {
namespace {

// Columns: w, |w|, z. Rows: the program's, |w| >= w, |w| >= -w, w <= hi z, w >= lo z, sum z.
CoinPackedMatrix rows_of(const SparseProgram& p, std::vector<double>& upper) {
  const int d = static_cast<int>(p.cost.size());
  CoinPackedMatrix matrix(false, 0, 0);
  matrix.setDimensions(0, 3 * d);
  const auto add = [&](const std::vector<int>& columns, const std::vector<double>& values, double bound) {
    matrix.appendRow(static_cast<int>(columns.size()), columns.data(), values.data());
    upper.push_back(bound);
  };
  std::vector<int> all, binaries;
  for (int j = 0; j < d; ++j) {
    all.push_back(j);
    binaries.push_back(2 * d + j);
  }
  for (std::size_t i = 0; i < p.b.size(); ++i) {
    const auto* first = p.a.data() + i * p.cost.size();
    add(all, {first, first + d}, p.b[i]);
  }
  for (int j = 0; j < d; ++j) {
    const auto at = static_cast<std::size_t>(j);
    add({j, d + j}, {1, -1}, 0);
    add({j, d + j}, {-1, -1}, 0);
    add({j, 2 * d + j}, {1, -p.hi[at]}, 0);
    add({j, 2 * d + j}, {-1, p.lo[at]}, 0);
  }
  add(binaries, std::vector<double>(binaries.size(), 1.0), p.max_changes);
  return matrix;
}

}  // namespace

bool has_mip_solver() { return true; }

std::optional<std::vector<double>> solve_sparse_program(const SparseProgram& p) {
  static std::mutex one_at_a_time;  // CBC has global state
  const std::lock_guard lock(one_at_a_time);
  const std::size_t d = p.cost.size();
  std::vector<double> upper, lo = p.lo, hi = p.hi, cost(d, 0.0);
  lo.insert(lo.end(), 2 * d, 0.0);
  cost.insert(cost.end(), p.cost.begin(), p.cost.end());
  cost.insert(cost.end(), d, 0.0);
  hi.insert(hi.end(), d, COIN_DBL_MAX);
  hi.insert(hi.end(), d, 1.0);
  const CoinPackedMatrix matrix = rows_of(p, upper);
  const std::vector<double> lower(upper.size(), -COIN_DBL_MAX);
  OsiClpSolverInterface lp;
  lp.messageHandler()->setLogLevel(0);
  lp.loadProblem(matrix, lo.data(), hi.data(), cost.data(), lower.data(), upper.data());
  for (std::size_t j = 0; j < d; ++j) lp.setInteger(static_cast<int>(2 * d + j));
  CbcModel mip(lp);
  mip.setLogLevel(0);
  if (p.seconds > 0) mip.setMaximumSeconds(p.seconds);
  mip.branchAndBound();
  if (mip.bestSolution() == nullptr) return {};
  std::vector<double> w(mip.bestSolution(), mip.bestSolution() + d);
  for (std::size_t j = 0; j < d; ++j)
    if (mip.bestSolution()[2 * d + j] < 0.5) w[j] = 0;
  return w;
}

}  // namespace scfe

#else

namespace scfe {

bool has_mip_solver() { return false; }

std::optional<std::vector<double>> solve_sparse_program(const SparseProgram& /*program*/) {
  throw Error("norm", "l2, or a build with a MIP solver (SCFE_MIP; Debian: coinor-libcbc-dev)", "l1");
}

}  // namespace scfe

#endif
