// Which valid answer is better where log q has a floor: the one order that all solvers and the plan use.
//
//     reached    the largest log q of a valid row within the limits
//     in force   the floor, if reached >= floor; else reached - slack, with slack = half a nat
//     order      rows at or above the floor in force before the others;
//                of those that reach it the closest, of the others the one with the larger log q
//
// It is monotone in the floor: below a floor that cannot be reached, the answer does not depend on the floor,
// and its log q is at most the slack below the best there is. So asking for more never gives less, up to the
// slack. A weighted sum of distance and shortfall would not do: just above what can be reached it falls back
// to close answers.
#pragma once

#include <limits>
#include <optional>

#include "query/query.h"
#include "query/row.h"

namespace scfe {

struct FloorOrder {
  static constexpr double lowest = -std::numeric_limits<double>::infinity();

  double floor = lowest;  // what was asked for
  double slack = 0;       // half a nat, in the units of log q
  BelowFloor below = BelowFloor::most_plausible;

  double in_force(double reached) const {
    if (reached >= floor) return floor;
    return below == BelowFloor::closest ? lowest : reached - slack;
  }
  struct Standing {
    double log_density, distance;
  };
  // True if a is better than b. `reached` is at least as large as the log q of both.
  bool prefers(const Standing& a, const Standing& b, double reached) const {
    const double least = in_force(reached);
    const bool a_meets = a.log_density >= least, b_meets = b.log_density >= least;
    if (a_meets != b_meets) return a_meets;
    return a_meets ? a.distance < b.distance : a.log_density > b.log_density;
  }
};

FloorOrder floor_order(const Query& query, const Row& row);

}  // namespace scfe
