// A certificate (certificate.h) with every answer, and the closer answer where one came to light.
#pragma once

#include <span>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Error where there is no way to certify answers of this model.
void check_certify(const Model& model, const Space& space, const Options& options);
// For answers of any method. With fewest-first the bound is over as many changes as the answer has, else over
// max-changes; never over the density.
void certify_rows(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
