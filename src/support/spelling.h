// Suggestions for unknown names.
//
//     distance(a, b) = fewest insertions, deletions, replacements and swaps of neighbours from a to b
//
// (optimal string alignment, ignoring case). A name is near if at most a third of its letters differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scfe/error.h"

namespace scfe {

// The nearest known name (the first one on a tie), or empty if none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// "FIELD: unknown feature 'amout': did you mean 'amount'?". If none is near, all known names are listed. The
// field may be empty.
Error unknown_name(const std::string& field, std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known);

}  // namespace scfe
