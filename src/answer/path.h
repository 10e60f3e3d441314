// The path over m: for every number of changes 1 .. m the closest answer, where it is closer than with fewer.
//
// What holds with fewer changes holds with more, so distances never grow along it; below the floor, where the
// most typical answer is wanted, log-densities never fall. The knee is the answer farthest below the straight
// line from the first to the last, in distance over changes.
#pragma once

#include <vector>

#include "answer/describe.h"

namespace scfe {

// Each number of changes goes on from where the search for fewer ended.
Lists walk_path(const Query& query, std::vector<Row> rows);

// An answer that came to light later: it takes its place, and that of all that are no better with as many
// changes or more.
void extend_path(std::vector<Explanation>& path, Explanation answer);

}  // namespace scfe
