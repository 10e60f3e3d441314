// S-CFE for rows with the same target class: the first solver that fits each row (catalogue.h), then the
// stages that may improve its answer.
#pragma once

#include "plan/catalogue.h"

namespace scfe {

// One more attempt for the rows it applies to. Every decision is about one row, so that an answer does not
// depend on the rows beside it.
struct PlanStage {
  std::string_view name;
  bool (*applies)(const PlanQuery& question, const Row& row, const Found& found);
  // What differs from the first attempt: options for all rows of the stage, or the row itself. Null: nothing.
  void (*change_options)(Options& options);
  void (*change_row)(const Query& query, const Found& found, Row& row);
  void (*solve)(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
  // Decides between the answer so far and the new one, and completes the one that stays: its status for the
  // row's own floor, and what later stages read of the one that goes. True: `other`, the new one, stays.
  bool (*merge)(PlanQuery& question, const Row& row, Found& own, Found& other);
};

// The table, for tests.
std::vector<PlanStage> plan_stages();

// found[i] belongs to rows[i].
void solve(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
