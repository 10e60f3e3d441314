// The limits of one question: --freeze a,b --only-up a --only-down b --range a=1:5 (either end may be empty).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ask/arguments.h"
#include "scfe/bundle.h"

namespace scfe::app {

// --freeze, --only-up, --only-down, --range: limits of this question alone.
std::vector<Flag> limit_flags();
// Applies the limits to the schema and the explainer, and --id to the schema.
void set_limits(Bundle& bundle, const Arguments& arguments);
// Splits lists of names at commas, except where a known name contains the comma.
std::vector<std::string> names_in(const std::vector<std::string>& texts, std::span<const std::string> known);

}  // namespace scfe::app
