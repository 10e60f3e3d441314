// The trade-off between closeness (l2), plausibility (LOF) and sparsity (l0) of the methods of a comparison,
// as a picture. A method is on the front if no other is at least as good in all three and in validity, and
// better in one.
#pragma once

#include <string>
#include <vector>

#include "ask/comparing.h"

namespace scfe::app {

// For each row of the comparison, whether it is on the front; false for rows without valid answers.
std::vector<bool> front_of(const Comparison& comparison);
// A whole SVG file.
std::string front_picture(const Comparison& comparison);

}  // namespace scfe::app
