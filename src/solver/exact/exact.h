// Exact search over a tree ensemble: the cheapest change of at most m features, with its proof.
//
//     axis_f = the levels, or for each cell between splits the writable value nearest to x_f
//     for k = 1..m:                                          (fewest changes first: stop if found)
//       a leaf is open to a support S if all that x_f does against it lies in S
//       U(S) = base + sum over trees of the best leaf open to S;  skip S if U(S) < margin        (sound)
//       in order of U: cut S's axes to cost < best; add each open leaf's box to a grid over S by differences
//       and prefix sums (levels by bit masks), halving grids that are too large while their own bound holds;
//       walk the cheapest valid cell plainly through the ensemble, as the library predicts it
//
// The ensemble is constant on cells, so without a floor and a predicate this is the optimum, not an estimate.
// With a floor or a predicate a cell has further candidates, a grid of values: the proof is over candidates.
// Where the floor is out of reach: min cost - tau log q over the valid candidates.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>

#include "actionability/space.h"
#include "actionability/writing.h"
#include "plausibility/density.h"
#include "query/instance.h"
#include "solver/search/search.h"

namespace scfe {

struct Ensemble;
class Pool;

struct ExactOptions {
  int max_changes = 3;
  bool fewest_first = true;
  int target = 1;
  double required = 1e-4;       // what the margin has to reach, in logits
  bool by_probability = false;  // of several classes: against all others together, not the strongest
  std::optional<double> lo = {}, hi = {};  // instead of a class: where the one output has to go
  double fallback_tau = 1;                 // what a nat of log-density is worth when the floor cannot be met
  std::size_t further_values = 32;         // of each number, where cells are not all that counts
  std::size_t max_supports = 2000000;      // of one size, and of one row
  std::size_t max_densities = 60000;       // of one row
};

struct ExactJob {
  const Ensemble& ensemble;
  const Space& space;
  const Writing& writing;
  const ExactOptions& options;
  const Density* density = nullptr;  // null: none
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

constexpr std::size_t most_features = 65535;  // that the proof can name

// What is made of the ensemble once for all rows.
class ExactSolver {
 public:
  // Error above most_features.
  explicit ExactSolver(const ExactJob& job);
  ~ExactSolver();
  ExactSolver(const ExactSolver&) = delete;
  ExactSolver& operator=(const ExactSolver&) = delete;

  // found[i] belongs to instances[i].
  void run(std::span<const Instance> instances, std::span<Found> found, Pool& pool) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

void exact_rows(const ExactJob& job, std::span<const Instance> instances, std::span<Found> found, Pool& pool);

}  // namespace scfe
