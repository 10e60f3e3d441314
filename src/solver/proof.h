// When a solver's proof counts as one of the question that was asked.
#pragma once

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// A row that has to meet more than the question says (a floor, stability, another answer that is taken, a
// wider margin) was solved among fewer candidates.
inline bool is_proof(const Query& query, const Row& row, const Found& found) {
  return found.proven && !row.floor && row.required <= query.validity.required() &&
         !row.demand.depends_on_values() && !row.demand.is_further() && found.status != Status::below_floor;
}

}  // namespace scfe
