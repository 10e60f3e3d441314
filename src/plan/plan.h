// Our own method for rows of one wished class: the first solver that fits each row (catalogue.h), then the
// stages that may still improve what it found.
#pragma once

#include "plan/catalogue.h"

namespace scfe {

// One more attempt for the rows it applies to. Every decision is about one row, so that an answer does not
// depend on the rows beside it.
struct PlanStage {
  std::string_view name;
  bool (*applies)(const Question& question, const Row& row, const Found& found);
  // What is asked instead: other options for all rows of the stage, another question for each row. Null: the
  // same as before.
  void (*change_options)(Options& options);
  void (*change_row)(const Query& query, const Found& found, Row& row);
  void (*solve)(const Question& question, std::span<const Row> rows, std::span<Found> found);
  // True if `other` takes the place of `own`.
  bool (*keeps)(const Query& query, const Row& row, Found& own, Found& other);
};

// found[i] belongs to rows[i].
void solve(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
