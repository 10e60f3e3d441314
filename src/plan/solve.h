// Runs the solver that fits a question: which features to change, and to what, for rows of one wished class.
#pragma once

#include <span>

#include "query/instance.h"
#include "actionability/rules.h"
#include "actionability/space.h"
#include "actionability/writing.h"
#include "plausibility/catalogue.h"
#include "scfe/feature.h"
#include "scfe/model.h"
#include "scfe/options.h"
#include "solver/apg/rows.h"
#include "solver/search/search.h"
#include "support/deadline.h"
#include "support/parallel.h"
#include "objective/evaluate.h"

namespace scfe {

// All that does not depend on the row.
struct Setting {
  const Model& model;
  const Space& space;
  const Writing& writing;
  const Rules& rules;
  std::span<const Feature> features;
  const FittedDensity& density;
  // Densities with other neighbour counts for the grid search; empty unless knn is tuned.
  std::span<const FittedDensity> neighbour_grid;
  // What came with the training rows: everything narrower is the question's.
  std::span<const Feature> lasting;
  std::span<const std::string> lasting_rules;
  std::span<const Matrix> class_rows;  // of every class: correctly classified training rows, work space
  const Model* autoencoder = nullptr;  // of the model's inputs; null: none
};

struct Problem {
  const Setting& setting;
  const Options& options;
  const Wished& wished;
  int target;
  std::span<const Instance> instances;
  Deadline deadline;
  Pool& pool;
};
// found[i] belongs to instances[i].
void solve(const Problem& problem, std::span<Found> found);

// Algorithm 1 by the options, for a term of plausibility that may be another one than the problem's.
std::vector<ApgFound> run_apg(const Problem& problem, const Wished& wished, const Options& o);
// What such points come to when they are written and read back.
std::vector<Found> write_points(const Problem& problem, std::span<const ApgFound> points);

}  // namespace scfe
