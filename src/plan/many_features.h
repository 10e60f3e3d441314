// Tables of more than 64 features, where growing supports one feature at a time would cost too much: climbs
// over all features at once (solver/climb/climb.h) say where the search begins.
#pragma once

#include "plan/catalogue.h"

namespace scfe {

void solve_by_climbs(const Question& question, std::span<const Row> rows, std::span<Found> found);
// The same with climbs for the margin alone, from corner to corner of the box.
void solve_by_corners(const Question& question, std::span<const Row> rows, std::span<Found> found);
// A short run of the paper's algorithm.
void solve_by_brief_apg(const Question& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
