// Every limit that an answer breaks, for people. Empty: none.
#pragma once

#include <string>
#include <vector>

#include "cli/answers_file.h"

namespace scfe::cli {

std::vector<std::string> violations(const Question& question, const GivenAnswer& given);

}  // namespace scfe::cli
