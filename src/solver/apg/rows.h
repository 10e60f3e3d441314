// `apg` for many rows: blocks of lanes over the threads, one row a lane.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "query/instance.h"
#include "objective/objective.h"
#include "solver/apg/apg.h"
#include "solver/lanes.h"
#include "support/parallel.h"

namespace scfe {

struct ApgFound {
  bool valid = false, meets_floor = false, finite = true, timed_out = false;
  std::vector<double> w;  // over all features; not valid: what came closest
  double margin = -INFINITY, cost = INFINITY;
  std::size_t gradients = 0;
  std::vector<std::vector<int>> supports;  // the best that were visited, if they were asked for
};

struct ApgJob {
  const Wished& wished;
  const Weights& weights;
  const Prox& prox;
  const ApgOptions& options;
  std::size_t keep_supports = 0;  // how many of the visited supports to bring back
  Lanes::Clock::time_point deadline = Lanes::Clock::time_point::max();
  const Writing* writing = nullptr;  // rows land as it says; null: iterates are judged as they are
  int most_changes = 0;              // of a row that lands; 0: any number
  bool level_costs = false;          // part of the proximity beside the weights
  bool anchored = true;              // the rows' anchors are those of this density; else they are found anew
  // Where w = 0 stands, of each row in the work space, and no change of its levels from there; empty: at x_f.
  std::span<const std::vector<double>> origins = {};
};
void apg_rows(const ApgJob& job, std::span<const Instance> instances, std::span<ApgFound> found, Pool& pool);

}  // namespace scfe
