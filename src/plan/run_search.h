// `search` for the rows of a problem, and once more in other ways for those that it has no answer for.
#pragma once

#include <span>
#include <vector>

#include "plan/solve.h"

namespace scfe {

// `starts`: of each row where to begin; empty: nowhere.
void run_search(const Problem& problem, std::span<const std::vector<Start>> starts, std::span<Found> found);

// Whether the search looks at tables of moves and uses no starts: levels, rules, no gradient.
bool needs_tables(const Problem& problem);

}  // namespace scfe
