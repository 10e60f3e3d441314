// Turns points of `apg` into rows that are still valid when read from a file: mapped to allowed rows
// (landing.h) and checked as the model will read them.
#pragma once

#include <span>

#include "actionability/writing.h"
#include "solver/apg/rows.h"
#include "solver/found.h"
#include "solver/written/landing.h"

namespace scfe {

// At most `most_changes` features change; 0: any number may.
void write_rows(const Query& query, int most_changes, std::span<const Row> rows,
                std::span<const ApgFound> points, std::span<Found> found);
// Replaces not_found by not_finite or time_limit, if that is why there is no answer. Time does not help a row
// at which the model is not finite, so that comes first.
void say_why_not(const ApgFound& point, Found& found);

}  // namespace scfe
