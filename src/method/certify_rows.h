// Adds a certificate (certificate.h) to every answer, and replaces the answer if a closer one was found.
#pragma once

#include <span>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Throws Error if answers of this model cannot be certified.
void check_certify(const Model& model, const Space& space, const Options& options);
// For answers of any method. The bound is over all rows with as many changes as the answer has (with
// fewest-first) or with up to max-changes; it ignores the density.
void certify_rows(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
