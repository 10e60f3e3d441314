// x_f -> x_cf for rows of one wished class: sets up the instances, runs the solver that fits, and turns
// what it found into explanations.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "actionability/scaling.h"
#include "actionability/writing.h"
#include "plausibility/catalogue.h"
#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "scfe/options.h"
#include "support/parallel.h"

namespace scfe {

// All that does not depend on the row.
struct Setting {
  const Model& model;
  const Scaling& scaling;
  const Writing& writing;
  std::span<const Feature> features;
  std::span<const double> weight;
  const FittedDensity& density;
  // Densities with other neighbour counts for the grid search; empty unless knn is tuned.
  std::span<const FittedDensity> neighbour_grid;
};

using Deadline = std::chrono::steady_clock::time_point;

struct RowsOfTarget {
  const Matrix& factuals;
  std::span<const std::size_t> index;  // which of them
  int target;
};
// explanations[i] for every i of the index.
void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<Explanation> explanations);

}  // namespace scfe
