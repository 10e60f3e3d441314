// How a number stands in its cell, beside the public reading and writing of numbers (scfe/text.h).
#pragma once

#include "scfe/text.h"

namespace scfe {

// Digits behind the point that the number in the cell needs: 2 for 1.250, 4 for 1.5e-3. The cell is a number.
int decimals_of(std::string_view cell);
// The decimals written in the cell: 3 for 1.250, 0 for 1 and for 1.5e-3.
int written_decimals_of(std::string_view cell);
// Appends zeros up to `decimals` decimals: 12.5 becomes 12.50.
std::string padded(std::string number, int decimals);

}  // namespace scfe
