// For rows without a valid answer: which single limit of the question to lift so that there is one. Every
// hint was tried out.
//
//     more changes    the fewest that work: up to two more than allowed, or twelve if nothing else helps
//     one feature     its freeze, direction, allowed levels, upper or lower limit
//     one rule        each rule between features, except those that derive a column
//     plausibility    lowered to the share that the best answer below the floor reaches
//     probability     the target class only has to win
//     stability       the answer need not be stable
//
// No hint lifts a limit of the schema, which holds whoever asks: age only rises. If the
// schema's limits block, alone or together with the question's, the reason says so; that was tried out as
// well. If an answer to a relaxed question also meets the original one, it becomes the answer. Every attempt
// uses the solver of the question, so that following a hint leads to the answer that was found.
#pragma once

#include <span>
#include <vector>

#include "answer/describe.h"
#include "query/make_row.h"

namespace scfe {

// Adds hints to the best answer of each row of the index that has no valid one, if options.hints asks for
// them and the method is our own. Its reason names the hints whose answers are closest.
void add_hints(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists);

}  // namespace scfe
