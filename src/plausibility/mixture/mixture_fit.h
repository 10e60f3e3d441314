// The number of Gaussians of a mixture, and the held-out log-densities.
//
//     BIC(K) = -2 log-likelihood + parameters(K) log n,   the K with the lowest BIC wins (Schwarz, 1978)
//
// The search over K ends after two values in a row without improvement. Held-out values come from five random
// folds, each scored by a mixture fitted to the others. Above 20000 rows a sample gives K, 4000 rows are held
// out, and mini-batches of the others fit the mixture (plausibility/mixture/stepwise_em.cpp).
//
// The least spread of a component is `spread_floor` times the feature's spread in the class, and at least
// 1/1000 of the work space's unit (for constant features). Without it BIC would favour components on single
// rows: on Wine (29 and 49 rows per class) a floor of 0.01 gives up to 7 components and held-out
// log-densities of minus thousands with full covariances; 0.2 gives 1-3 and nearly a KDE's values.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/mixture/gaussian.h"

namespace scfe {

struct MixtureFit {
  GaussianMixture mixture;  // in the density's space
  std::vector<double> held_out;
  std::string summary;
};

MixtureFit fit_mixture(const Matrix& rows, bool full, const DensityOptions& options);

// The least variance of each column. alike: the rows are identical and have no spread of their own.
std::vector<double> least_variances(const Matrix& scaled, bool alike, const DensityOptions& options);

// Throws if the number of components or the spread floor is out of range.
void check_mixture_options(const DensityOptions& options);

// The number of distinct rows; counting stops at `enough`.
std::size_t distinct_rows(const Matrix& rows, std::size_t enough);

// Maps a mean to the work space. A feature with scale 0 has no effect, so any value would do.
double to_work_space(double coordinate, double scale);

}  // namespace scfe
