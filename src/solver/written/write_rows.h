// Turns points of `apg` into rows that hold when they are read back: landed (landing.h) and re-checked as the
// model will read them.
#pragma once

#include <span>

#include "actionability/writing.h"
#include "solver/apg/rows.h"
#include "solver/written/landing.h"
#include "solver/search/search.h"

namespace scfe {

struct WriteJob {
  const Wished& wished;
  const Writing& writing;
  double margin;
  int most_changes = 0;  // 0: any number
};
void write_rows(const WriteJob& job, std::span<const Instance> instances, std::span<const ApgFound> points,
                std::span<Found> found);

}  // namespace scfe
