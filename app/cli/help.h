// The text of --help: flags under headings, in lines of at most 80 columns.
#pragma once

#include <span>
#include <string>

#include "cli/verb.h"

namespace scfe::app {

std::string program_help(std::span<const Verb> verbs);
// The everyday flags, or with `all` every flag and option.
std::string verb_help(const Verb& verb, bool all);

}  // namespace scfe::app
