// Where one feature of one row may go, as it can be written.
//
//     listed   every value is known: levels of a category, or a number with few steps
//     fine     a number with many: the solver polishes it and rounds
#pragma once

#include <vector>

#include "actionability/instance.h"
#include "actionability/space.h"
#include "actionability/writing.h"

namespace scfe {

struct Axis {
  bool fine = false;
  std::vector<double> values;  // listed: the others that it may take
  double lo = 0, hi = 0;       // fine: the limits
  double step = 0;             // fine: of the values that are written

  bool open() const { return fine || !values.empty(); }
};

std::vector<Axis> make_axes(const Space& space, const Writing& writing, const Instance& instance);
// Whether any feature is a category or has few enough values to be listed in some row.
bool has_listed_features(const Space& space, std::span<const Feature> features);

}  // namespace scfe
