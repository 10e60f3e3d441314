// Limits of one question: --freeze a,b --only-up a --only-down b --range a=1:5 (either side may be empty).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "scfe/bundle.h"

namespace scfe::cli {

// Puts the limits into the schema and the explainer; --id into the schema.
void set_limits(Bundle& bundle, const Arguments& arguments);
// Comma-separated names, but a name that has a comma itself is taken whole.
std::vector<std::string> names_in(const std::vector<std::string>& texts, std::span<const std::string> known);

}  // namespace scfe::cli
