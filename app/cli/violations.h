// The limits that an answer breaks, as text for people. Empty if it keeps all of them.
#pragma once

#include <string>
#include <vector>

#include "cli/answers_file.h"
#include "scfe/diagnostics.h"

namespace scfe::cli {

// How stable a given answer is, with --robust.
Stability stability_of(const Question& question, const GivenAnswer& given);
std::vector<std::string> violations(const Question& question, const GivenAnswer& given);

}  // namespace scfe::cli
