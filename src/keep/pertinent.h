// Pertinent positives: what must stay. The smallest set of features whose present values alone keep the
// decision, whatever the others are:
//
//     share(S) = share of background rows that get the decision of x once they take x's values on S
//     min |S|  subject to  share(S) >= wanted
//
// Background: training rows of all classes, evenly spread, the same for every x. Sets are chosen by 200 of
// them and must hold on others too, whose share is the one stated. A beam that grows by one feature at a time
// finds a small set; then every smaller one is looked at, up to a limit of work, since share(S) need not grow
// with S and nothing can be left out.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/solve.h"
#include "scfe/diagnostics.h"

namespace scfe {

struct PertinentJob {
  const Model& model;
  const Space& space;
  std::vector<std::vector<double>> chosen_by, stated_on;  // background: values
  double share;
  std::function<int(std::span<const float>)> decide;  // class of one point's scores
};
Pertinent pertinent_features(const PertinentJob& job, std::span<const double> values);

}  // namespace scfe
