// Where nothing meets the wish: the one limit of the question to lift so that something does, found by
// trying.
//
//     more changes    the fewest that work: up to two more than allowed, or twelve where nothing else helps
//     one feature     each that may not change, or only one way, to some levels, so far up or down
//     one rule        each between features, but for derived columns
//     plausibility    the share that the best answer below the floor reaches
//     a probability, stability: not asked for
//
// What came with the training rows (the schema's limits) is never lifted for a hint: nobody gets younger.
// Where that alone blocks, or blocks together with the question, the reason says so, and that too was tried.
// An answer to the relaxed question that meets the one asked is the answer. Everything is tried with the
// solver that was asked, so that a hint is true for whoever asks it again.
#pragma once

#include <span>
#include <vector>

#include "answer/describe.h"
#include "query/make_row.h"

namespace scfe {

// To the best answer of each row of the index, unless the wish is met; its reason names the cheapest.
void add_hints(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
