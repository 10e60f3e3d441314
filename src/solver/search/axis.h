// The values that one feature of one row may take, as they can be written.
//
//     listed   few: the levels of a category, or a number with few steps; each is tried
//     fine     a number with many: it is optimised continuously and then rounded
#pragma once

#include <vector>

#include "actionability/space.h"
#include "actionability/writing.h"
#include "query/row.h"

namespace scfe {

struct Axis {
  bool fine = false;
  std::vector<double> values;  // listed: all allowed values but the factual's
  double lo = 0, hi = 0;       // fine: the limits
  double step = 0;             // fine: the spacing of writable values

  bool open() const { return fine || !values.empty(); }
};

std::vector<Axis> make_axes(const Space& space, const Writing& writing, const Row& row);
// Up to this many features every move is evaluated; above, another solver first selects promising features.
inline constexpr std::size_t moderate_features = 64;
// True if some feature is a category or a number with few values. With more than moderate_features (pixels,
// say) up to one in twenty may have few values: evaluating all moves would cost more than it gains.
bool has_listed_features(const Space& space, std::span<const Feature> features);

}  // namespace scfe
