// Every limit that an answer breaks, for people. Empty: none.
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
