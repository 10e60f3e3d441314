// A mixture of products in double precision: the result of EM and the input of the density.
//
//     log q(u) = log sum_k exp(e_k),   e_k = log w_k - 1/2 sum_j (u_j - mu_kj)² / var_kj + sum_c u_c log p_kc
//     log w_k  = log pi_k - 1/2 sum_j log(2 pi var_kj)
//
// j runs over the numeric columns and c over the indicator columns. One u_c of each category is 1, so the
// last sum adds the log-probabilities of the row's levels.
#pragma once

#include <vector>

#include "plausibility/groups.h"

namespace scfe {

struct Products {
  std::vector<double> weights;  // pi_k
  Matrix means, variances;      // component x column; 0 and 1 in indicator columns
  Matrix log_levels;            // component x column: log p_kc; 0 in numeric columns
  std::vector<int> group;       // of each column; -1 for a number

  std::size_t components() const { return weights.size(); }
  std::size_t columns() const { return means.cols; }
};

// log w_k. Throws if a weight or a variance is not positive, or a log-probability is not finite.
std::vector<double> log_weights(const Products& products);

}  // namespace scfe
