// Maximum likelihood of a mixture of Gaussians by expectation maximisation (Dempster, Laird, Rubin 1977).
//
//     E:  r_ik = exp(e_k(x_i)) / sum_k exp(e_k(x_i))
//     M:  n_k = sum_i r_ik,  pi_k = n_k / n,  mu_k = sum_i r_ik x_i / n_k,  Sigma_k = weighted covariance
//
// Variances have a floor: the diagonal form takes the maximum of both, the full form adds the floor to the
// diagonal. Several k-means++ starts run a few rounds, then the best three run to the end.
#pragma once

#include <cstdint>
#include <vector>

#include "plausibility/mixture/gaussian.h"

namespace scfe {

inline constexpr double em_tolerance = 1e-5;     // change of the mean log-likelihood at which EM stops
inline constexpr double empty_component = 1e-8;  // rows; a component with fewer is not updated

struct EmOptions {
  bool full = false;
  std::vector<double> least_variance;  // of each feature
  std::size_t starts = 20;             // at most; fewer (but at least 5) for many rows and features
  std::uint64_t seed = 0;
};

struct EmFit {
  GaussianMixture mixture;
  double log_likelihood = 0;  // summed over the rows
};

EmFit fit_em(const Matrix& rows, std::size_t components, const EmOptions& options);

// Fits the mixture to many rows by mini-batches, in the given random order (stepwise_em.cpp).
GaussianMixture refine_by_batches(const Matrix& rows, std::span<const std::size_t> order,
                                  GaussianMixture start, const EmOptions& options);

}  // namespace scfe
