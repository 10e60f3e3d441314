// Densities of classes, and distances, typicality, stability and pertinent positives of rows. None of it is
// needed to explain a row; reports, checks and benchmarks use it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scfe/explainer.h"
#include "scfe/metrics.h"

namespace scfe {

// How typical a row is of a class.
struct Typicality {
  double log_density = 0;
  double quantile = 1;  // share of the class's held-out rows that are less typical, or as typical
};

// Pertinent positives: the features whose values alone keep the predicted class.
struct Pertinent {
  int predicted = 0;
  std::vector<std::size_t> features;
  double share = 0;       // of background rows that get the same class when they take these values
  bool smallest = false;  // every smaller set was tried, on the rows that sets are chosen on
};

// Whether a row keeps its class when all its numbers move by up to options.robust of their ranges.
struct Stability {
  bool holds = false;
  StabilityProof proof = StabilityProof::none;
  double margin = 0;  // the least margin in that box, or a lower bound of it
};

class Diagnostics {
 public:
  explicit Diagnostics(const Explainer& explainer) : explainer_(explainer) {}

  // The density of a class: "kde: bandwidth 0.31, 49 rows".
  std::string density_summary(int target) const;
  bool has_density(int target) const;
  // The log-density below which this share of the class's held-out rows lies.
  double floor(int target, double share) const;
  // The class's correctly classified training rows, in the work space: what LOF is measured against.
  Matrix class_rows(int target) const;
  std::size_t class_size(int target) const;  // how many they are
  // One feature of the same rows: numbers in original units, or indices of levels.
  std::vector<double> class_values(int target, std::size_t feature) const;

  // Rows in the work space, where distances are measured: one column per number, one per level of a category.
  Matrix to_work_space(const Matrix& rows) const;
  // For each column of the work space the number of its category, -1 for numbers; empty: no categories.
  std::vector<int> groups() const;

  // How typical an answer is. The knn density depends on the factual, too.
  Typicality typicality(std::span<const double> factual, std::span<const double> answer, int target) const;
  // Between two rows, in the work space; a number counts as changed if it moved by more than half its step.
  Change change(std::span<const double> from, std::span<const double> to) const;
  // The rules that an answer breaks, for people; empty: none.
  std::vector<std::string> broken_rules(std::span<const double> factual,
                                        std::span<const double> answer) const;
  // The stability of given rows, each for its target class (or for options.reach).
  std::vector<Stability> stability(const Matrix& answers, const Options& options,
                                   std::span<const Target> targets) const;

  // True if a rule derives the feature from others. It then does not count as a change.
  bool is_derived(std::size_t feature) const;
  // True if answers may be proven closest: for tree ensembles and linear scores, with a limit on the number
  // of changes and without a floor.
  bool can_prove(const Options& options) const;
  // Which solver answers questions by default, and whether it proves its answers; for people.
  std::string solver_summary() const;

  // The smallest set of features whose present values alone keep the class for at least this share of the
  // background. The background is training rows of all classes: 200 to choose sets on, up to 2000 others to
  // compute the share on. If there are too many sets to try, the set is small, but perhaps not smallest.
  std::vector<Pertinent> pertinent(const Matrix& factuals, double share = 0.95) const;

 private:
  Explainer explainer_;
};

}  // namespace scfe
