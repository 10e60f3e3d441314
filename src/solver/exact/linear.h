// One linear score: the cheapest change of at most m features, with its proof.
//
//     min  sum_f cost_f   subject to   sum_f gain_f >= need        gain: what a change adds to the margin
//
//     number     gain = a d,  cost = c d²       within its limits, in its steps
//     category   gain and cost of each level
//
// With efficiencies e = a² / c (of a category the largest gain² / cost), Cauchy-Schwarz gives
// cost(S) >= need² / sum over S of e: supports that cannot beat the incumbent are not entered. Within a
// support levels are tried one by one; numbers start from the continuous optimum (fill up the best, clip at
// the limits) and go outwards, step by step, while their continuous bound is below the incumbent; the last
// one takes what is missing. Numbers without a step are exact to nine digits. The model's sums
// are rounded: the bound is the cost of the cheapest change that could hold, were all rounding in its favour,
// and an answer that costs more than that is not called proven. For rows without a density floor or a
// predicate.
#pragma once

#include <chrono>
#include <span>

#include "query/instance.h"
#include "actionability/space.h"
#include "actionability/writing.h"
#include "scfe/model.h"
#include "solver/search/search.h"

namespace scfe {

class Pool;

struct LinearJob {
  const Model& model;  // model.linear() is its one layer, of one score
  const Space& space;
  const Writing& writing;
  int max_changes = 3;
  bool fewest_first = true;
  int target = 1;
  double required = 1e-4;  // what the margin has to reach
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

// found[i] belongs to instances[i].
void exact_linear_rows(const LinearJob& job, std::span<const Instance> instances, std::span<Found> found,
                       Pool& pool);

}  // namespace scfe
