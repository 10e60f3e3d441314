// A lower bound on the distance of any answer, by branch and bound, for linear models and ReLU networks:
//
// clang-format off
//     min  sum_j cost(weight_j, w_j)   s.t.  margins(x_f + w) >= required,  lo <= w <= hi,  at most m of w not 0
// clang-format on
//
// Every support of m columns is tried. A node of the tree is a box, with some hidden units fixed to on or
// off. The box is cut to where answers are cheaper than the best one. Linear bounds of the network (bounds.h)
// turn the margins and the fixed units into half-spaces. The dual of that small QP (solver/search/qp.h) is a
// lower bound of the node, even if its multipliers are not accurate. A node that cannot be cheaper is closed.
// If no unit is open, the network is linear and the bound is its optimum. Any other node is divided: its box
// while many units are open, else the open unit whose relaxation is loosest. Better answers that are found on
// the way are kept.
//
// Exact up to rounding in double precision. The required margin is lowered by what single precision may
// differ, because an answer counts if the model says so in single precision. With numbers that have steps
// the bound holds, but the best answer may lie above it.
#pragma once

#include <span>
#include <vector>

#include "method/pieces.h"
#include "proximity/proximity.h"
#include "support/deadline.h"

namespace scfe {

struct CertificateProblem {
  const Pieces& pieces;             // over the work space
  std::span<const double> factual;  // x_f, work space
  std::span<const double> weight, lo, hi;
  double required;
  std::size_t max_changes;
  double cost = 0;  // of the answer to certify; INFINITY: there is none
  Deadline deadline = {};
  Proximity proximity = {};
};

struct Certificate {
  double lower_bound = 0;       // of the cost of any answer
  double cost = 0;              // of the best answer known at the end
  std::vector<double> closest;  // that answer, if better than the one to certify; else empty
  bool complete = false;        // the search ended before the deadline
  std::size_t nodes = 0;
};

// With more supports than this, no certificate is attempted.
inline constexpr double most_supports = 2e5;
double count_supports(std::size_t columns, std::size_t size);

Certificate certify(const CertificateProblem& problem);

}  // namespace scfe
