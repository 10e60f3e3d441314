// When a candidate is feasible, and how candidates are compared.
//
//     feasible   every margin >= margin  and  log q >= floor (if there is one)
//     objective  nearness cost(w)  -  tau log q        cost: proximity/proximity.h
//     merit      the objective if feasible, else large + scaled violations
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "solver/lanes.h"
#include "validity/rounding.h"

namespace scfe {

// The Euclidean norm of a gradient.
inline double length(const float* gradient, std::size_t columns) {
  double sum = 0;
  for (std::size_t j = 0; j < columns; ++j) sum += static_cast<double>(gradient[j]) * gradient[j];
  return std::sqrt(sum);
}

struct Goal {
  std::span<const double> weight;  // of each column in the cost
  Proximity proximity = {};
  double margin = 0;
  double floor = 0;
  bool with_floor = false;
  double tau = 0;
  double nearness = 1;  // below 1 if log q comes first and the distance only decides between equals
  // What a unit of violation costs during a polish, in units of the objective.
  double penalty = 20;
  // Violations are divided by the shortfall of the factual, so that those of margin and density are
  // comparable.
  double margin_scale = 1, floor_scale = 1;

  double aimed_margin() const { return scfe::aimed_margin(margin); }
  double aimed_floor() const { return scfe::aimed_floor(floor); }

  bool with_density() const { return with_floor || tau > 0; }
  template <class Measured>  // a Point or a Probe
  bool wins(const Measured& p) const {
    return margin_of(p) >= margin;
  }
  template <class Measured>
  bool feasible(const Measured& p) const {
    return wins(p) && (!with_floor || p.log_density >= floor);
  }
  template <class Measured>
  double violation(const Measured& p) const {
    const double lack = std::max(0.0, margin - margin_of(p)) / margin_scale;
    return with_floor ? lack + std::max(0.0, floor - p.log_density) / floor_scale : lack;
  }
  double distance(const Point& p) const {
    double sum = 0;
    for (std::size_t i = 0; i < p.w.size(); ++i)
      sum += proximity.cost(weight[static_cast<std::size_t>(p.support[i])], p.w[i]);
    return sum;
  }
  double objective(double distance, double log_density) const {
    return nearness * distance - (tau > 0 ? tau * log_density : 0);
  }
  double objective(const Point& p) const { return objective(distance(p), p.log_density); }

  static float margin_of(const Point& p) { return p.margin[0]; }
  static float margin_of(const Probe& p) { return p.margin; }

  static constexpr double infeasible = 1e6;
  static constexpr double taken = 1e200;  // the merit of a support that another answer has
  static constexpr double unknown =
      1e300;  // the merit of a point that was never evaluated, because time was up
  double merit(const Point& p) const { return feasible(p) ? objective(p) : infeasible + violation(p); }
};

}  // namespace scfe
