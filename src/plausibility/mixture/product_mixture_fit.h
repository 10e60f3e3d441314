// Fitting a mixture of products: the number of components, and what a new row of the class may expect.
//
// The number of components is the one whose five-fold cross-validated likelihood is greatest: BIC, which
// takes 2-4 on credit data, misses dependence that held-out rows do show. The sweep ends once two numbers
// in a row brought nothing. The held-out values of the winner are those the floor is taken from. Of large
// classes a sample serves for both; the mixture itself is then fitted to the sample and on to all rows.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/mixture/products.h"

namespace scfe {

struct ProductsFit {
  Products products;  // in the density's space
  std::vector<double> held_out;
};

ProductsFit fit_products(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
