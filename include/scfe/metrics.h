// How good answers are, as the field reports it: validity, l2, l1, l0, LOF, densities, time.
//
// A failure counts as a failure: it enters no mean distance (as 0 it would flatter whoever fails most) and
// is reported beside.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "scfe/matrix.h"

namespace scfe {

class Density;
class NearIndex;
struct Neighbour;

// What changed from the factual to the answer.
struct Change {
  double l2 = 0, l1 = 0;
  std::size_t l0 = 0;  // features that moved by more than their resolution
};
// One resolution a feature, or one for all.
Change change(std::span<const double> factual, std::span<const double> answer,
              std::span<const double> resolution);

// Local Outlier Factor (Breunig et al., 2000) of a new point against the rows of a class: 1 inside, larger
// the sparser x lies compared with its neighbours. With k-distance(o) the distance of o to its k-th nearest,
//
//     reach(x, o) = max(|x - o|, k-distance(o)),   lrd(x) = 1 / (mean over the k nearest o of reach + 1e-10)
//     LOF(x)      = mean over the k nearest o of lrd(o) / lrd(x)
//
// as scikit-learn's LocalOutlierFactor(n_neighbors = k, novelty = True) gives it, negated; like there, k is
// cut to the number of rows less one. Exact, by brute force, up to 20000 rows: fitting costs n²·d. Beyond, by
// an index that looks into near cells only; search_error() says how far its neighbours are off.
//
// With categories the distance is Gower's (1971): each feature at most 1 apart over its range, and the mean
// of that over the features,
//
//     |x - o| = ( sum over numbers |x_j - o_j|  +  sum over categories [levels differ] ) / features
//
// for numbers in units of their ranges (the min-max work space) and one-hot categories; a category counts as
// one feature, and between levels as half the sum of its columns' differences. Without, it is Euclidean.
class Lof {
 public:
  // group: the one-hot group of each column, -1 for a number; empty or all -1: no categories.
  explicit Lof(Matrix rows, std::size_t neighbours = 20, const std::vector<int>& group = {});
  double operator()(std::span<const double> x) const;
  std::size_t neighbours() const { return neighbours_; }
  // Mean error (of the logarithm) of the distance to the neighbours, measured on held-out rows. 0: exact.
  double search_error() const;

 private:
  std::vector<std::vector<Neighbour>> fit_index();

  std::shared_ptr<const NearIndex> index_;  // of many rows
  Matrix rows_;                             // times the columns' weights, if any
  std::size_t neighbours_;
  std::vector<double> column_weights_;        // of Gower's distance; empty: Euclidean
  std::vector<double> k_distance_, density_;  // lrd of each row
};

// log q(x) of a density that is fitted on rows of the work space: "kde", "gmm", "mixture" (the one for
// categories) or another of docs/options.md. `group` as for Lof.
class LogDensity {
 public:
  LogDensity(std::string_view name, const Matrix& rows, const std::vector<int>& group = {});
  double operator()(std::span<const double> x) const;

 private:
  std::shared_ptr<const Density> density_;
};

// One answer. NaN: not measured, left out of the summary.
struct AnswerMetrics {
  static constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();
  bool valid = false;
  Change change;
  double lof = unmeasured;
  double log_kde = unmeasured, log_gmm = unmeasured;
  double quantile = unmeasured;  // of the density the answer was asked to meet
  double seconds = unmeasured;
};

struct Summary {
  double mean = AnswerMetrics::unmeasured, median = AnswerMetrics::unmeasured,
         p95 = AnswerMetrics::unmeasured;
  std::size_t count = 0;  // answers it was taken over
};
// NaN values are left out; the quantiles are linear between two values. All NaN if nothing is left.
Summary summary_of(std::span<const double> values);

struct Report {
  std::size_t answers = 0, failures = 0;
  double validity = AnswerMetrics::unmeasured;          // share of the answers that are valid
  Summary l2, l1, l0, lof, log_kde, log_gmm, quantile;  // over the valid ones
  Summary seconds;                                      // over all: a failure takes its time too
};
Report summarise(std::span<const AnswerMetrics> answers);

}  // namespace scfe
