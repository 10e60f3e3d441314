// A density that is a sum of products over the columns, up to a growing function of the sum:
//
//     log q(x) = form(log sum_k exp(w_k + sum_j t_kj(x_j))),   t_kj(x) = l_kj x - 1/2 ((x - c_kj) s_kj)²
//
// l_kj is 0 in the columns of numbers. Upper bounds of log q over sets of rows follow from this form
// (plausibility/reachable.h).
#pragma once

#include <vector>

namespace scfe {

struct Separable {
  std::vector<double> log_weights;           // w_k
  std::vector<float> centres, sharp;         // c_kj and s_kj, [column][component]
  std::vector<float> log_levels;             // l_kj, [column][component]; empty: all 0
  double (*form)(double log_sum) = nullptr;  // null: the sum's logarithm itself

  std::size_t components() const { return log_weights.size(); }
  std::size_t columns() const { return centres.size() / components(); }
};

}  // namespace scfe
