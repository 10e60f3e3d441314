// What an explainer knows of its classes and of rows: densities, distances, stability, what must stay. None
// of it is needed to explain a row; reports, checks and benchmarks are made of it.
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

// What must stay for the decision to stay.
struct Pertinent {
  int predicted = 0;
  std::vector<std::size_t> features;
  double share = 0;       // of background rows that get the same decision once they take these values
  bool smallest = false;  // proven on the rows that choose: every smaller set was looked at
};

// Whether a row keeps its decision wherever its numbers go within options.robust of their ranges.
struct Stability {
  bool holds = false;
  StabilityProof proof = StabilityProof::none;
  double margin = 0;  // the least of all inputs there, or a lower bound of it
};

class Diagnostics {
 public:
  explicit Diagnostics(const Explainer& explainer) : explainer_(explainer) {}

  // Of a class. ("kde: bandwidth 0.31, 49 rows")
  std::string density_summary(int target) const;
  bool has_density(int target) const;
  // The log-density that this share of the class's held-out rows does not reach.
  double floor(int target, double share) const;
  // The class's correctly classified training rows, in the work space: what LOF is measured against.
  Matrix class_rows(int target) const;
  // The same rows, one feature: numbers in original units, or the places of levels.
  std::vector<double> class_values(int target, std::size_t feature) const;

  // Of the work space, where distances are measured: one column for a number, one per level for a category.
  Matrix to_work_space(const Matrix& rows) const;
  // For each column of the work space the number of its category, -1 for numbers; empty: no categories.
  std::vector<int> groups() const;

  // Of an answer. The factual says where kNN's gravity lies.
  Typicality typicality(std::span<const double> factual, std::span<const double> answer, int target) const;
  // Between two rows, in the work space; a number counts as changed if it moved by more than half its step.
  Change change(std::span<const double> from, std::span<const double> to) const;
  // The rules that an answer breaks, for people; empty: none.
  std::vector<std::string> broken_rules(std::span<const double> factual,
                                        std::span<const double> answer) const;
  // Of rows that somebody wrote, for the class (or the reach) that each was wished to have.
  std::vector<Stability> stability(const Matrix& answers, const Options& options,
                                   std::span<const int> targets) const;

  // Whether a rule derives the feature from others: it is no change of its own.
  bool is_derived(std::size_t feature) const;
  // Whether answers may come with a proof: of tree ensembles and linear scores, under a limit m and no floor.
  bool can_prove(const Options& options) const;

  // The smallest set of features whose present values alone keep the decision for at least this share of the
  // background: training rows of all classes; 200 to choose by, up to 2000 others for the share. Where there
  // are too many sets to look at, a small one.
  std::vector<Pertinent> pertinent(const Matrix& factuals, double share = 0.95) const;

 private:
  Explainer explainer_;
};

}  // namespace scfe
