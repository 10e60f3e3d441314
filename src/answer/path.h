// With --path: for each number of changes 1 .. max-changes the closest answer, unless fewer changes are as
// close.
//
// An answer with fewer changes is allowed with more, so distances never grow along the path. Below the floor
// the order of query/floor_order.h decides, so log-densities never fall by more than its slack. The knee is
// the valid answer farthest below the straight line from the first to the last, in a plot of distance over
// changes; none if little is gained.
#pragma once

#include <vector>

#include "answer/describe.h"

namespace scfe {

// Each search starts from the candidates of the search with one change less.
Lists walk_path(const Query& query, std::vector<Row> rows);

// Adds a valid answer that was found later, and removes those with as many or more changes that are no
// better.
void extend_path(std::vector<Explanation>& path, Explanation answer);

}  // namespace scfe
