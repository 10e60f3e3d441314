// Answers for rows with the same target class, by options.method.
#pragma once

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// Removes redundant changes from answers of S-CFE (not of the paper's algorithm: SolverRow::is_pruned), and
// adds certificates with options.certify.
std::vector<Found> find(const Query& query, std::span<const Row> rows);

}  // namespace scfe
