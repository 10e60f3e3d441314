// How much closer any other answer could be: branch and bound for linear models and ReLU networks.
//
//     min  sum_j weight_j w_j²   s.t.  margins(x_f + w) >= required,  lo <= w <= hi,  at most m of w not 0
//
// Every support of m columns is looked at. Within one, a node is a box and some hidden units known to be on
// or off. The box is cut to what is cheaper than the best answer; linear bounds of the network (bounds.h)
// turn the margins and the known units into half-spaces; the dual of that small QP (solver/qp.h) is a bound
// of the node, whatever the accuracy of its multipliers. A node that cannot be cheaper is closed; one without
// open units is the network itself, its bound the optimum there; any other is divided: its box while many
// units are open, else the open unit that matters most. Best answers on the way are kept: they may be
// closer than the one that was asked about.
//
// Exact up to rounding in double precision; the margin is asked for with `dust` less, since an answer holds
// if the model's single precision says so. For numbers without steps: with steps the bound stands, the answer
// may lie above it.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "method/pieces.h"

namespace scfe {

struct CertificateProblem {
  const Pieces& pieces;             // over the work space
  std::span<const double> factual;  // x_f, work space
  std::span<const double> weight, lo, hi;
  double required;
  std::size_t max_changes;
  double cost = 0;  // of the answer in question; INFINITY: none
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct Certificate {
  double lower_bound = 0;       // of the cost of any answer
  double cost = 0;              // of the best answer known at the end
  std::vector<double> closest;  // it, if it is closer than the one in question; else empty
  bool complete = false;        // everything was looked at: the bound is as good as it gets
  std::size_t nodes = 0;
};

// So many supports are looked at, at most.
inline constexpr double most_supports = 2e5;
double count_supports(std::size_t columns, std::size_t size);

Certificate certify(const CertificateProblem& problem);

}  // namespace scfe
