// Options from and to JSON through the catalogue, bit for bit: {"max-changes": 2, "plausible": 0.1, ...}.
#pragma once

#include <string>

#include "scfe/options.h"

namespace scfe {

std::string options_json(const Options& options);
// Options that are not named keep their defaults. Throws on an unknown name or a wrong type.
Options parse_options_json(const std::string& text, const std::string& source);

}  // namespace scfe
