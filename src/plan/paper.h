// The paper's algorithm, for rows with the same target class.
#pragma once

#include "plan/catalogue.h"
#include "solver/apg/rows.h"

namespace scfe {

// Algorithm 1 with the parameters of the options. With categories there is a second round: it starts at the
// most promising combinations of levels, keeps those levels fixed and optimises the numbers.
std::vector<ApgFound> run_apg(const Query& query, std::span<const Row> rows);
// Rounds the points to values that can be written, and checks them as the model will read them.
std::vector<Found> write_points(const Query& query, std::span<const Row> rows,
                                std::span<const ApgFound> points);

void solve_by_apg(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
// The paper's grid over beta, tau and k, for penalised sparsity. Each row keeps its best answer; all are
// compared as written and under the same density.
void solve_by_grid(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
