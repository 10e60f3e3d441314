// More features than the search can grow supports of: climbs with averaged slopes say where it begins; with
// levels or rules the tables of the search, and a short run of apg beside them.
#pragma once

#include <span>

#include "plan/solve.h"

namespace scfe {

void run_many(const Problem& problem, std::span<Found> found);

}  // namespace scfe
