// Fits a mixture of Gaussians to many rows by mini-batches: stepwise EM (Cappé and Moulines, 2009).
//
//     s_t = (1 - eta_t) s_{t-1} + eta_t · mean over the batch of r_k (1, x, x x')      eta_t = (t + 10)^-0.7
//     pi_k, mu_k, Sigma_k follow from s_t as in EM's M step
//
// Starts from a mixture fitted to a sample and makes two passes over the rows in the given random order. Full
// EM would need tens of passes.
#pragma once

#include <span>

#include "plausibility/mixture/em.h"

namespace scfe {

GaussianMixture refine_by_batches(const Matrix& rows, std::span<const std::size_t> order,
                                  GaussianMixture start, const EmOptions& options);

}  // namespace scfe
