// `apg` for many rows: blocks of lanes over the threads, one row a lane.
#pragma once

#include <span>
#include <vector>

#include "actionability/instance.h"
#include "objective.h"
#include "solver/apg.h"
#include "solver/lanes.h"
#include "support/parallel.h"

namespace scfe {

struct ApgFound {
  bool valid = false, meets_floor = false, finite = true, timed_out = false;
  std::vector<double> w;  // over all features
  std::size_t gradients = 0;
};

struct ApgJob {
  const Wished& wished;
  const Weights& weights;
  const Prox& prox;
  const ApgOptions& options;
  Lanes::Clock::time_point deadline = Lanes::Clock::time_point::max();
};
void apg_rows(const ApgJob& job, std::span<const Instance> instances, std::span<ApgFound> found, Pool& pool);

}  // namespace scfe
