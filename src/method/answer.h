// Turns points into answers, the same way for every method: they are rounded to what each column can hold,
// kept inside the limits, checked as the model will read them, and rated by the fitted density.
#pragma once

#include <span>
#include <vector>

#include "query/query.h"
#include "query/row.h"
#include "solver/apg/rows.h"
#include "solver/found.h"

namespace scfe {

inline constexpr double no_move = 1e-7;  // a smaller change of a feature counts as none

// The compared methods know no floor: an answer below it is still one, and is called so.
void write_answers(const Query& query, std::span<const Row> rows, std::span<const ApgFound> points,
                   std::span<Found> found);

// The rows without their floor, which only S-CFE uses.
std::vector<Row> without_floor(std::span<const Row> rows);

}  // namespace scfe
