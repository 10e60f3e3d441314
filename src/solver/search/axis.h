// Where one feature of one row may go, as it can be written.
//
//     listed   every value is known: levels of a category, or a number with few steps
//     fine     a number with many: the solver polishes it and rounds
#pragma once

#include <vector>

#include "actionability/space.h"
#include "actionability/writing.h"
#include "query/row.h"

namespace scfe {

struct Axis {
  bool fine = false;
  std::vector<double> values;  // listed: the others that it may take
  double lo = 0, hi = 0;       // fine: the limits
  double step = 0;             // fine: of the values that are written

  bool open() const { return fine || !values.empty(); }
};

std::vector<Axis> make_axes(const Space& space, const Writing& writing, const Row& instance);
// Up to this many features every move can be looked at; above, some other run says which are worth it.
inline constexpr std::size_t moderate_features = 64;
// Whether a feature is a category or has few enough values to be listed in some row. Of very many features,
// pixels say, one in twenty may have few values: the tables of all moves would cost more than they bring.
bool has_listed_features(const Space& space, std::span<const Feature> features);

}  // namespace scfe
