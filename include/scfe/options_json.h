// Options <-> JSON through the catalogue: {"max-changes": 2, "plausible": 0.1, ...}. Numbers keep their bits.
#pragma once

#include <string>

#include "scfe/options.h"

namespace scfe {

std::string options_json(const Options& options);
// What is not named keeps its default; an unknown name or a wrong type is an Error.
Options parse_options_json(const std::string& text, const std::string& source);

}  // namespace scfe
