// The answers of each row, without hints.
#pragma once

#include <span>

#include "answer/describe.h"
#include "query/make_row.h"

namespace scfe {

// lists[i] gets the answers for every i of rows.index: one, up to options.answers, or with options.path one
// for each number of changes.
void answer_lists(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
