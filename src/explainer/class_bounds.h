// Several target classes, of which the closest is answered: which of them can still give it.
//
// A valid answer of class c has log q(x | c) >= floor_c. most_c(k | D) is an upper bound of log q over the
// rows with at most k changes, each of them no longer than D (plausibility/reachable.h). With it, class c
// provably cannot beat an answer
//
//     fewest changes first, k of them, distance D    if most_c(k - 1) < floor_c and most_c(k | D) < floor_c
//     closest first, distance D                      if most_c(m | D) < floor_c
//     below its floor                                if most_c(m) < floor_c, and its quantile is lower
//
// Only classes that provably lose are left out, so the answer is that of asking all classes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actionability/factual.h"
#include "actionability/space.h"
#include "plausibility/fit.h"
#include "scfe/explanation.h"

namespace scfe {

// What all rows of a question share.
struct ClassDensities {
  const Space& space;
  std::span<const FittedDensity> densities;   // of each class
  std::vector<std::optional<double>> floors;  // of each class
  std::size_t most_changes = 0;               // m
};

// The possible target classes of one row.
class ClassBounds {
 public:
  struct Bound {
    int target = 0;
    bool known = false;       // false: no bound is known, and the others have no meaning
    std::size_t changes = 0;  // the fewest changes with which the floor may be reached; m + 1: none does
    double quantile = 1;      // the largest that may be reached with m changes
  };

  // `own_floor`: the row's own limit on log q, if it has one, in place of the classes' floors.
  ClassBounds(const ClassDensities& of, Factual limits, std::optional<double> own_floor,
              std::span<const int> targets);

  // In the order of the targets.
  std::span<const Bound> bounds() const { return bounds_; }
  // False if no answer of the class comes before `rival`, by the order of closer() (answer/describe.h).
  bool may_beat(const Bound& bound, const Explanation& rival, bool fewest_first) const;

 private:
  std::optional<double> floor_of(int target) const;
  bool may_reach(int target, double log_density) const;
  std::vector<double> most(int target, std::size_t changes, std::optional<double> distance) const;

  const ClassDensities& of_;
  Factual limits_;
  std::optional<double> own_floor_;
  std::vector<Bound> bounds_;
};

}  // namespace scfe
