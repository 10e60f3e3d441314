// `apg` for many rows: blocks of lanes over the threads, one row a lane.
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
  std::vector<double> w;  // over all features; not valid: what came closest
  double margin = -INFINITY, cost = INFINITY;
  std::size_t gradients = 0;
  std::vector<std::vector<int>> supports;  // the best that were visited, if they were asked for
};

// One run of the algorithm: the weights of the smooth terms, the prox, and what is kept on the way.
struct ApgRun {
  const Weights& weights;
  const Prox& prox;
  const ApgOptions& options;
  std::size_t keep_supports = 0;  // how many of the visited supports to bring back
  // Iterates are judged at the row that they are written as, with at most so many changes; 0: any number.
  // False: iterates are judged as they are.
  bool lands = true;
  int most_changes = 0;
  bool level_costs = false;  // levels have prices, a part of the proximity beside the weights
  // For each row the point of the work space where w = 0; its levels are held there. Empty: w = 0 at x_f.
  std::span<const std::vector<double>> origins = {};
};
void apg_rows(const Query& query, const ApgRun& run, std::span<const Row> rows, std::span<ApgFound> found);

}  // namespace scfe
