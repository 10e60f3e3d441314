// Exact search over a tree ensemble: the cheapest change of at most m features, with its proof.
//
//     axis_f = the levels, or for each cell between splits the writable value nearest to x_f
//     for k = 1..m:                                          (fewest changes first: stop if found)
//       a leaf is open to a support S if all features on which x_f is outside the leaf are in S
//       U(S) = base + sum over trees of the best leaf open to S;  skip S if U(S) < margin        (sound)
//       in order of U: cut S's axes to cost < best; add each open leaf's box to a grid over S by differences
//       and prefix sums (levels by bit masks), halving grids that are too large while their own bound holds;
//       check the cheapest valid cell by evaluating the ensemble itself
//
// The ensemble is constant on cells, so without a floor and other demands this is the optimum. Rules between
// features have to be finite (Links::are_finite): a column that follows from a category is a part of it, and
// the marks of implications are candidates too, so that within a cell no other number is closer and keeps
// more rules (a number without a step: to a millionth of its range). With a floor or other demands a cell has
// further candidates (a grid of values), and the proof is over these candidates. For the most
// plausible answer (Demand::most_plausible): max log q over the valid candidates, as many as patience allows.
// Where log q counts and the density is a sum of products (plausibility/reachable.h), its upper bound cuts as
// well: numbers of changes, supports, halves of a grid and boxes of its points, as soon as the bound is below
// the floor, or below the most plausible answer so far; the most promising supports then come first.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "actionability/space.h"
#include "actionability/writing.h"
#include "plausibility/density.h"
#include "query/prepared.h"
#include "query/row.h"
#include "solver/search/search.h"
#include "support/deadline.h"

namespace scfe {

struct Ensemble;
class Pool;
struct Derivation;

struct ExactOptions {
  int max_changes = 3;
  bool fewest_first = true;
  int target = 1;
  double required = 1e-4;       // what the margin has to reach, in logits
  bool by_probability = false;  // of several classes: against all others together, not only the strongest
  std::optional<double> lo = {},
                        hi = {};    // regression, instead of a class: the range that the output has to reach
  std::size_t further_values = 32;  // of each number, if the cell alone does not decide
  std::size_t max_supports = 2000000;  // of one size, and of one row
  std::size_t max_densities = 60000;   // of one row
};

struct ExactJob {
  const Ensemble& ensemble;
  const Space& space;
  const Writing& writing;
  const ExactOptions& options;
  const Density* density = nullptr;  // null: none
  Deadline deadline = {};
  std::span<const Derivation> derived = {};  // columns that follow from levels (cells.h)
  Prepared* prepared = nullptr;              // where the cells of the ensemble are kept; null: nowhere
};

constexpr std::size_t most_features = 65535;  // supports hold features as 16-bit numbers

// Prepares the ensemble once for all rows, and for later questions where job.prepared keeps it.
class ExactSolver {
 public:
  // Error above most_features.
  explicit ExactSolver(const ExactJob& job);
  ~ExactSolver();
  ExactSolver(const ExactSolver&) = delete;
  ExactSolver& operator=(const ExactSolver&) = delete;

  // found[i] belongs to rows[i].
  void run(std::span<const Row> rows, std::span<Found> found, Pool& pool) const;
  // No answer has fewer changes than this, by the bounds of supports alone. At most max_changes + 1.
  std::size_t fewest_changes(const Row& row) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

void exact_rows(const ExactJob& job, std::span<const Row> rows, std::span<Found> found, Pool& pool);

}  // namespace scfe
