// Answers that keep their decision wherever their numbers go within options.robust of their ranges.
#pragma once

#include <vector>

#include "answer/describe.h"
#include "stability/robustness.h"

namespace scfe {

// An answer that is not shown to be stable is asked for again with a larger margin. Of a tree ensemble, whose
// margins jump, only stable candidates are allowed in the first place.
std::vector<Explanation> answer_stably(const Query& query, std::vector<Row> rows);

// Adds to an answer how its stability was shown and, as far as time allows, how far each number may go. False
// if it is not stable.
bool show_stability(const Query& query, const Robustness& least, const std::vector<double>& values,
                    Explanation& e);

}  // namespace scfe
