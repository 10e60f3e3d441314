// Pertinent positives: the smallest set of features whose present values alone keep the predicted class,
// whatever the other features are:
//
//     share(S) = share of background rows that get the class of x when they take x's values on S
//     min |S|  subject to  share(S) >= wanted
//
// The background is training rows of all classes, evenly spread, the same for every x. Sets are chosen on 200
// of them and must also hold on others, whose share is reported. A beam search that adds one feature at a
// time finds a small set. Then all smaller sets are tried, within a limit of work: share(S) need not grow
// with S, so none of them can be skipped.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "actionability/space.h"
#include "scfe/diagnostics.h"

namespace scfe {

struct PertinentJob {
  const Model& model;
  const Space& space;
  // Background rows, as values: those on which sets are chosen, and those whose share is reported.
  std::vector<std::vector<double>> chosen_by, stated_on;
  double share;
  std::function<int(std::span<const float>)> decide;  // the class that the scores of one point stand for
};
Pertinent pertinent_features(const PertinentJob& job, std::span<const double> values);

}  // namespace scfe
