// Rows that their floor leaves with nothing worth having are asked again without it: the closest answer,
// whatever its density.
//
// - Where nothing was found at all: what the question without a floor has an answer for, the one with a floor
//   has too, only less typical.
// - Where the most plausible answer is less typical than all but a few rows of the class. So far out a
//   density says little more than which row of the class is nearest, and it leads far away: on Housing's
//   linear model half as far again as the closest answers, whose local outlier factor is lower
//   (docs/paper.md).
#pragma once

#include <span>

#include "solve.h"

namespace scfe {

void ask_without_floor(const Problem& problem, std::span<Found> found);

}  // namespace scfe
