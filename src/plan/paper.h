// The paper's algorithm on rows of one wished class.
#pragma once

#include "plan/catalogue.h"
#include "solver/apg/rows.h"

namespace scfe {

// Algorithm 1 by the options. Where levels are in play there is a second round: from the most promising
// vertices that iterates landed on, with those levels held, the numbers adapt.
std::vector<ApgFound> run_apg(const Query& query, std::span<const Row> rows);
// The points as rows that are written and read back.
std::vector<Found> write_points(const Query& query, std::span<const Row> rows,
                                std::span<const ApgFound> points);

void solve_by_apg(const Question& question, std::span<const Row> rows, std::span<Found> found);
// The paper's grid over beta, tau and k for the penalised forms. Each row keeps its own best, judged as it
// would be written and under one density.
void solve_by_grid(const Question& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
