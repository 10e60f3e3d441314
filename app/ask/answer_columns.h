// The columns of the answers' CSV.
#pragma once

#include <string>

#include "scfe/schema.h"

namespace scfe::app {

// Columns of the CSV before the counterfactual: row (or the id column), answer (the rank, or with --path the
// limit on changes), status, changes, changed. After it: proven (if a proof is possible), stability and room
// (with --robust), distance, plausibility and knee (with --path), and `reason` last. A name that a feature
// already has gets the prefix "scfe_".
struct AnswerColumns {
  std::string row, answer, status, changes, changed, proven, stability, room, distance, plausibility, knee,
      reason;
};
AnswerColumns answer_columns(const Schema& schema);

}  // namespace scfe::app
