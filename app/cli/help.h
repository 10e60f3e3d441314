// What --help prints: flags in groups, lines that fit a terminal of 96 columns.
#pragma once

#include <span>
#include <string>

#include "cli/verb.h"

namespace scfe::cli {

std::string program_help(std::span<const Verb> verbs);
std::string verb_help(const Verb& verb);

}  // namespace scfe::cli
