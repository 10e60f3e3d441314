// Rows that their floor leaves with nothing worth having are asked again without it.
//
// - Where the tables found nothing at all: what the question without a floor has an answer for, the one with
//   a floor has too, only less typical.
// - Where a loose floor was asked for, and the most plausible answer resembles hardly a row of the class. So
//   far out a density says little more than which row of the class is nearest, and it leads far away: on
//   Housing's linear model half as far again as the closest answers, whose local outlier factor is lower
//   (docs/paper.md). The closest answer takes its place. Not on a path and not among several answers, which
//   go by what is most typical, and not among so many features as images have.
#pragma once

#include <span>

#include "plan/solve.h"

namespace scfe {

void ask_without_floor(const Problem& problem, std::span<Found> found);

}  // namespace scfe
