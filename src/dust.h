// Margins that do not hang on rounding: for models with hard decisions inside (votes, comparisons of computed
// numbers), whose scores jump where such a decision turns. A row may win by far and yet stand on an inner
// boundary, where the last bits of another runtime decide.
//
//     margin(x) = min over x and copies of it of margin,     copy_i = x_i ± (1e-6 |x_i| + 1e-7 range_i)
//
// Categories and whole numbers are read exactly everywhere, and stay.
#pragma once

#include "terms.h"

namespace scfe {

// Lowers the smallest margin of every lane that is granted its wish to the least of its copies.
void lower_to_copies(const Wished& wished, const Block& x, Block& margins);

}  // namespace scfe
