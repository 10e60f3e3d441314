// The paper's grid search for the penalised forms: beta and tau on a logarithmic grid over
// [1e-3, 1e3]², and k in {3, 4, 5} for kNN density gravity. Each row keeps its own best by the rule
//
//     valid, then fewest changes, then log-density, then distance.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace scfe {

// One row's answer at one grid point. The log-density must be comparable between points: that of a fixed
// density if the one in the objective changes with k.
struct Outcome {
  bool valid = false;
  int changes = 0;  // features that change, without derived ones
  double log_density = 0;
  double distance = 0;
  std::vector<float> w;
};
// True if a is strictly better by the rule; two invalid ones are equal.
bool better(const Outcome& a, const Outcome& b);

struct GridPoint {
  double beta = 0, tau = 0;
  int k = 0;  // 0: the density has none
};

struct GridOptions {
  double least = 1e-3, most = 1e3;
  int points = 7;      // along each of beta and tau
  std::vector<int> k;  // numbers of neighbours for knn; empty: no such axis
};
std::vector<GridPoint> grid_points(const GridOptions& options);

struct GridChoice {
  GridPoint point;
  Outcome outcome;
};
// Solves a block of rows at one point, with a new density if k changes it. Returns an outcome for each row.
using GridRun = std::function<std::vector<Outcome>(const GridPoint& point)>;
// The choice of each row; the earlier point wins a tie.
std::vector<GridChoice> grid_search(const std::vector<GridPoint>& points, const GridRun& run);

}  // namespace scfe
