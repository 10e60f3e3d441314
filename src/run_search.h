// `search` for the rows of a problem, and once more in other ways for those that it has no answer for.
#pragma once

#include <span>
#include <vector>

#include "solve.h"

namespace scfe {

// `seeds`: of each row supports to look at in place of all; empty: none.
void run_search(const Problem& problem, std::span<const std::vector<std::vector<int>>> seeds,
                std::span<Found> found);

}  // namespace scfe
