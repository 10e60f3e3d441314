// Several answers for each row.
#pragma once

#include "answer/describe.h"

namespace scfe {

// Adds to the first answer of each row up to options.answers - 1 further ones. Each must change other
// features than those before, or have other values (options.diverse), and has no redundant change. The first
// answer stays first, the others follow by distance.
void add_answers(const Query& query, std::vector<Row> rows, Lists& lists);

}  // namespace scfe
