// What a change costs: the one definition of closeness, which every solver asks.
//
//     l2      sum_f weight_f d_f²                     the distance is its root
//     l1      sum_f weight_f d_f
//     gower   sum_f weight_f d_f / sum_f weight_f     numbers by their range, a change of level is 1
//
// d_f >= 0 is the length of feature f's change (actionability/space.h). Costs of features add up in all of
// them, and each grows with d_f, so that a solver needs no more than the power of one length, and its
// inverse. Factors common to all features do not change which answer is closest; they are in `unit`, so that
// costs are of the order of 1 for every solver.
//
// Small problems (solver/search/qp.h, solver/climb/climb_step.h) see the cost of a move s as
//
//     threshold |s| + stiffness s² / 2        l2: threshold 0, stiffness 2 weight
//                                             l1: threshold weight, and a small stiffness around a centre
#pragma once

#include <algorithm>
#include <cmath>

namespace scfe {

struct Proximity {
  bool squared = true;
  double unit = 1;

  double power(double length) const { return squared ? length * length : std::abs(length); }
  double cost(double weight, double length) const {
    return squared ? weight * length * length : weight * std::abs(length);
  }
  // The inverse of power().
  double length(double power_of_it) const { return squared ? std::sqrt(power_of_it) : power_of_it; }
  // The distance that people read, from a sum of costs.
  double distance(double cost_of_all) const { return unit * length(cost_of_all); }

  double threshold(double weight) const { return squared ? 0 : weight; }
  double stiffness(double weight) const { return squared ? 2 * weight : ridge * weight; }

  // Sums of lengths have no curvature. This much, around the last solution, makes a small problem strictly
  // convex; solving it again around its own solution removes the error.
  static constexpr double ridge = 0.1;
};

// The soft threshold: s = shrunk(pull, threshold) / stiffness minimises  threshold |s| + stiffness s² / 2 -
// pull s.
inline double shrunk(double pull, double threshold) { return pull - std::clamp(pull, -threshold, threshold); }

}  // namespace scfe
