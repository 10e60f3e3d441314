// Answers for rows of one wished class: one each, several, or a path over the number of changes; and hints
// where the wish is not met.
#pragma once

#include <span>

#include "answer/describe.h"
#include "query/make_row.h"

namespace scfe {

// lists[i] gets the answers for every i of rows.index, never none.
void explain_rows(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
