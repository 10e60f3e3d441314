// Mixtures of Gaussians on many rows, by mini-batches: stepwise EM (Cappé and Moulines, 2009).
//
//     s_t = (1 - eta_t) s_{t-1} + eta_t · mean over the batch of r_k (1, x, x x')      eta_t = (t + 10)^-0.7
//     pi_k, mu_k, Sigma_k from s_t as EM's M step takes them from the sums over all rows
//
// Starts from a mixture fitted to a sample; two passes over the rows in random order. A round of EM costs
// as much as a pass, and needs tens of them.
#pragma once

#include <span>

#include "plausibility/mixture/em.h"

namespace scfe {

GaussianMixture refine_by_batches(const Matrix& rows, std::span<const std::size_t> order,
                                  GaussianMixture start, const EmOptions& options);

}  // namespace scfe
