// Says why a row has no answer, or only one that does not meet all that was asked.
#pragma once

#include <string>
#include <vector>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Part by part; empty if the status needs no explanation.
std::vector<std::string> reasons_of(const Query& query, const Row& row, const Found& found);

}  // namespace scfe
