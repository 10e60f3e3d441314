// How many Gaussians, and what a new row of the class may expect of them.
//
//     BIC(K) = -2 log-likelihood + parameters(K) log n,   the K with the least wins (Schwarz, 1978)
//
// The sweep ends once two numbers in a row brought nothing. Held-out values: five folds by seed, each
// scored by a mixture of that K refitted without it. Of more than 20000 rows a sample says how many, mini-
// batches of all rows but 4000 fit them (plausibility/stepwise_em.h), and those 4000 are the held-out ones.
//
// Least spread of a component: `spread_floor` times the feature's own over the class, and never below a
// thousandth of the work space's unit (constant features). Without it a component on a single row is
// worth more than BIC asks for its parameters: on Wine (29 and 49 rows a class) a floor of 0.01 gives up
// to 7 components and, full, held-out log-densities of minus thousands; 0.2 gives 1-3 and nearly a KDE's.
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

// The floor on the variances of each column; alike: there is no spread to take a share of.
std::vector<double> least_variances(const Matrix& scaled, bool alike, const DensityOptions& options);

// Throws where the number of components or the spread floor make no sense.
void check_mixture_options(const DensityOptions& options);

// How many rows differ, counted up to `enough`.
std::size_t distinct_rows(const Matrix& rows, std::size_t enough);

// The centre in the work space of a mean in the density's. A feature of scale 0 has no say: any centre does.
double to_work_space(double coordinate, double scale);

}  // namespace scfe
