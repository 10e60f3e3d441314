// One step of a climb: the m columns with the largest gain, each at the minimum of its own quadratic.
//
//     s_j = clip(shrunk(lambda a_j + mu b_j, threshold_j) / (stiffness_j + mu kappa_j), lo_j, hi_j)
//
// For squares the threshold is 0 and the stiffness 2 weight_j (proximity/proximity.h).
#pragma once

#include <span>
#include <vector>

#include "proximity/proximity.h"

namespace scfe {

struct Pulls {
  explicit Pulls(std::size_t columns) : slope(columns), pull(columns), kappa(columns) {}

  std::vector<double> slope, pull, kappa;  // a, b
  double lambda = 0, mu = 0;
};

class ClimbStep {
 public:
  struct Limits {
    std::span<const double> weight, lo, hi;
    std::size_t max_changes;
    Proximity proximity = {};
  };
  explicit ClimbStep(const Limits& limits);

  // The new w, over all columns.
  const std::vector<double>& to(const Pulls& pulls, double lambda);
  // The least lambda whose step gains the asked margin by linear extrapolation; `most` if there is none.
  double least_lambda(const Pulls& pulls, double asked, double most);

 private:
  double reach(const Pulls& pulls, double lambda);
  void keep_most_gaining();

  Limits limits_;
  std::vector<double> s_, gain_, sorted_;
};

}  // namespace scfe
