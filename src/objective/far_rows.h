// Rows far outside of what was seen in training. The sums of a network are large there, and a runtime that
// adds in another order may round a small margin away: such rows have to win by more.
//
//     extra margin = 2^-20 sum_j |d margin / d x_j| |x_j|
//
// with the slopes at the row or, where they are steeper, at the nearest point of the usual range.
#pragma once

#include <span>

#include "query/instance.h"
#include "query/wished.h"

namespace scfe {

void raise_margins_far_out(const Wished& wished, std::span<Instance> instances);

}  // namespace scfe
