// Every limit that an answer breaks, for people. Empty: none.
#pragma once

#include <string>
#include <vector>

#include "cli/answers_file.h"
#include "cli/fitted.h"

namespace scfe::cli {

std::vector<std::string> violations(const Question& question, const Fitted& fitted, const GivenAnswer& given);

}  // namespace scfe::cli
