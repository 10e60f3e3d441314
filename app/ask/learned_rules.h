// What is said about rules that were learned (scfe/learned_rules.h).
#pragma once

#include <string>
#include <vector>

#include "scfe/bundle.h"

namespace scfe::app {

// One line for each learned rule: its number, its evidence, the rule; and how to switch it off. Empty if
// there are none.
std::string learned_rules_text(const Schema& schema);

// contradictions() of the bundle's rules (scfe/rules.h).
std::vector<std::string> contradictions_of(const Bundle& bundle);

}  // namespace scfe::app
