// Says why a row has no answer, or only one that does not meet all that was asked.
#pragma once

#include <string>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Empty if the status needs no explanation.
std::string reason_of(const Query& query, const Row& row, const Found& found);

// True if the solver's proof holds for this row. With a floor or a condition on values the solver has only
// compared some candidate values, and for answers below the floor there is no proof.
bool is_proof(const Row& row, const Found& found);

}  // namespace scfe
