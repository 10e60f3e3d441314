// A mixture of Gaussians in double precision: the result of EM and the input of the densities.
//
//     log q(x) = log sum_k exp(e_k),   e_k = log w_k - 1/2 |A_k (x - mu_k)|²
//     log w_k  = log pi_k + log det A_k - d/2 log 2 pi,   A_k = inverse Cholesky factor of the covariance
#pragma once

#include <span>
#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct GaussianMixture {
  std::vector<double> weights;  // pi_k
  Matrix means;                 // component x feature
  Matrix covariances;           // diagonal: component x feature; full: (component, feature) x feature
  bool full = false;

  std::size_t components() const { return weights.size(); }
  std::size_t features() const { return means.cols; }
  std::span<double> covariance(std::size_t component) {
    return {covariances.values.data() + component * size(), size()};
  }
  // The part of one component in a matrix shaped like the covariances.
  std::span<const double> part(const Matrix& shaped, std::size_t component) const {
    return {shaped.values.data() + component * size(), size()};
  }
  std::size_t size() const { return full ? features() * features() : features(); }
};

// The precomputed form used for evaluation.
struct Whitened {
  Matrix factors;  // A_k, shaped like the covariances (diagonal: 1 / standard deviation)
  std::vector<double> log_weights;
};

// Throws if shapes disagree, a weight is not positive or a covariance is not positive definite.
Whitened whiten(const GaussianMixture& mixture);

// Fills e_k and returns log q(x).
double log_density(const GaussianMixture& mixture, const Whitened& whitened, std::span<const double> x,
                   std::span<double> exponents);

}  // namespace scfe
