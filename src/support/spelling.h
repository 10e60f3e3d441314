// Names that are not there, and the one that was perhaps meant.
//
//     distance(a, b) = fewest insertions, deletions, replacements and swaps of neighbours from a to b
//
// (optimal string alignment; capitals count as small letters). Near: a third of the name's letters at most.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scfe/error.h"

namespace scfe {

// The nearest of the known names, the first of several; empty where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// "FIELD: unknown feature 'amout': did you mean 'amount'?", or all that is known where nothing is near. The
// field may be empty where the kind says enough.
Error unknown_name(const std::string& field, std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known);

}  // namespace scfe
