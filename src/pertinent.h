// Pertinent positives: what must stay. The smallest set of features whose present values alone keep the
// decision, whatever the others are:
//
//     share(S) = share of background rows that get the decision of x once they take x's values on S
//     min |S|  subject to  share(S) >= wanted
//
// Background: training rows of all classes, evenly spread, the same for every x. The search grows a beam of
// sets by share, then drops what is not needed; sets of one and two features are looked at exhaustively.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scfe/explainer.h"
#include "solve.h"

namespace scfe {

struct PertinentJob {
  const Model& model;
  const Space& space;
  const std::vector<std::vector<double>>& background;  // values
  double share;
  std::function<int(std::span<const float>)> decide;  // class of one point's scores
};
Pertinent pertinent_features(const PertinentJob& job, std::span<const double> values);

}  // namespace scfe
