// For more than 64 features, where growing supports one feature at a time would cost too much: gradient
// climbs over all features at once (solver/climb/climb.h) find the points from which the search starts.
#pragma once

#include "plan/catalogue.h"

namespace scfe {

void solve_by_climbs(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
// The same, but the climbs maximise only the margin and go from corner to corner of the box.
void solve_by_corners(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
// A short run of the paper's algorithm.
void solve_by_brief_apg(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
