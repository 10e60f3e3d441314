// Turns points of `apg` into rows that hold when they are read back: rounded to what each column can
// hold, inside the limits, and re-checked as the model will read them; where rounding lost the decision,
// a little further along the same direction.
#pragma once

#include <span>

#include "actionability/writing.h"
#include "solver/apg_rows.h"
#include "solver/search.h"

namespace scfe {

struct WriteJob {
  const Wished& wished;
  const Writing& writing;
  double margin;
};
void write_rows(const WriteJob& job, std::span<const Instance> instances, std::span<const ApgFound> points,
                std::span<Found> found);

}  // namespace scfe
