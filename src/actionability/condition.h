// Conditions on single features, and rules made of them:
//
//     if C and C ... then C and C ...        implication
//     C ... if and only if C ...             both directions
//
// A condition speaks of a value (among levels or numbers, between bounds) or of the change from the factual's
// value (rises, falls, changes, stays). It is evaluated exactly, on values as they are written.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace scfe {

struct Condition {
  enum class Kind { among, not_among, between, rises, falls, changes, stays };

  std::size_t feature = 0;
  Kind kind = Kind::among;
  std::vector<double> values = {};       // among, not_among: numbers or places of levels
  double lo = -INFINITY, hi = INFINITY;  // between: both ends are included
  std::vector<int> rank = {};            // rises, falls: of each level; empty: numbers are compared

  bool depends_on_factual() const { return kind >= Kind::rises; }
  bool holds(std::span<const double> row, std::span<const double> factual) const;
};

struct Implication {
  std::vector<Condition> premise, consequence;  // in each all have to hold
  bool both_ways = false;                       // if and only if
  std::string text = {};                        // as the user wrote it
  std::vector<std::size_t> features = {};       // of all conditions, ascending

  bool holds(std::span<const double> row, std::span<const double> factual) const;
  // The numbers at which a condition on this feature begins or ceases to hold.
  std::vector<double> marks(std::size_t feature, std::span<const double> factual) const;
  // Narrows lo..hi around the row's value of the feature to where none of its conditions changes. `spacing`
  // is the distance to the next number that can be written.
  void narrow(std::size_t feature, std::span<const double> row, std::span<const double> factual,
              double spacing, double& lo, double& hi) const;
};

}  // namespace scfe
