// Answers for rows with the same target class: one per row, several, or a path over the number of changes;
// with hints for rows without a valid answer.
#pragma once

#include <span>

#include "answer/describe.h"
#include "query/make_row.h"

namespace scfe {

// lists[i] gets the answers for every i of rows.index. It is never empty.
void explain_rows(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
