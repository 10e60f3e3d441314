// `apg` for many rows: each thread has a block of lanes, and each lane one row at a time.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "query/query.h"
#include "query/row.h"
#include "solver/apg/apg.h"

namespace scfe {

struct ApgFound {
  bool valid = false, meets_floor = false, finite = true, timed_out = false;
  std::vector<double> w;  // over all columns; if not valid: the one with the largest margin
  double margin = -INFINITY, cost = INFINITY;
  double log_density = -INFINITY;  // read only where the row has a floor
  std::size_t gradients = 0;
  std::vector<std::vector<int>> supports;  // the best that were visited, if asked for
};

// One run of the algorithm: the weights of the smooth terms, the prox, and what to keep.
struct ApgRun {
  const Weights& weights;
  const Prox& prox;
  const ApgOptions& options;
  std::size_t keep_supports = 0;  // how many of the visited supports to return
  // True: iterates are judged at the row they would be written as, with at most most_changes (0: any number).
  // False: iterates are judged themselves.
  bool projects = true;
  int most_changes = 0;
  bool level_costs = false;  // the distance between levels is part of the proximity
  // For each row the point of the work space where w = 0, whose levels stay fixed. Empty: w = 0 at x_f.
  std::span<const std::vector<double>> origins = {};
};
void apg_rows(const Query& query, const ApgRun& run, std::span<const Row> rows, std::span<ApgFound> found);

}  // namespace scfe
