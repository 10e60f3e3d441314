// Answers whose class stays the same when all their numbers move by up to options.robust of their ranges.
#pragma once

#include <vector>

#include "answer/describe.h"
#include "stability/robustness.h"

namespace scfe {

// A row whose answer is not shown to be stable is solved again with a larger required margin. For a tree
// ensemble, whose margins jump, the solver rejects unstable candidates from the start.
std::vector<Explanation> answer_stably(const Query& query, std::vector<Row> rows);

// Adds to an answer how its stability was shown and, if time allows, how far each number may move. Returns
// false if the answer is not stable.
bool show_stability(const Query& query, const Robustness& least, const std::vector<double>& values,
                    Explanation& e);

}  // namespace scfe
