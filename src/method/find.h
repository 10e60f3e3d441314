// Answers for rows of one wished class, by the method that the options name.
#pragma once

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Redundant changes are dropped from answers of our own method; certificates are added where they are asked
// for.
std::vector<Found> find(const Query& query, std::span<const Row> rows);

}  // namespace scfe
