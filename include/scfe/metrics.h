// The usual quality measures of answers: validity, l2, l1, l0, LOF, densities, the nearest real row, time.
// scfe/compare.h measures answers by them and compares methods.
//
// Rows without an answer are counted separately and not included in mean distances.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scfe/choices.h"
#include "scfe/matrix.h"

namespace scfe {

class Density;
class NearIndex;
struct Neighbour;

// The change from the factual to the answer.
struct Change {
  double l2 = 0, l1 = 0;
  std::size_t l0 = 0;   // features that change by more than their resolution
  double distance = 0;  // as options.distance and weights measure it (Diagnostics::change); else l2
};
// resolution: one value per feature, or a single one for all.
Change change(std::span<const double> factual, std::span<const double> answer,
              std::span<const double> resolution);

// Local Outlier Factor (Breunig et al., 2000) of a new point against the rows of a class: about 1 inside,
// larger where x has fewer close rows than its neighbours have. With k-distance(o) from o to its k-th nearest
// row,
//
//     reach(x, o) = max(|x - o|, k-distance(o)),   lrd(x) = 1 / (mean over the k nearest o of reach + 1e-10)
//     LOF(x)      = mean over the k nearest o of lrd(o) / lrd(x)
//
// This equals scikit-learn's LocalOutlierFactor(n_neighbors = k, novelty = True, metric = ...) with the
// opposite sign; k is at most the number of rows minus one. Exact by brute force up to 20000 rows (linf:
// always), where fitting costs n²·d. Above, an index searches only near cells; search_error() is its measured
// error.
//
// The distance is |x - o|_1, |x - o|_2 (the default) or the largest difference. Data with categories use
// Gower's distance (1971), which is an l1 distance, whatever the metric:
//
//     |x - o| = ( sum over numbers |x_j - o_j|  +  sum over categories [levels differ] ) / features
//
// Numbers are in units of their ranges (the min-max work space) and categories are one-hot; for fractions of
// levels, half the sum of the columns' differences counts.
class Lof {
 public:
  // group: the one-hot group of each column, -1 for a number. Empty or all -1: no categories.
  explicit Lof(Matrix rows, std::size_t neighbours = 20, const std::vector<int>& group = {},
               Metric metric = Metric::l2);
  double operator()(std::span<const double> x) const;
  std::size_t neighbours() const { return neighbours_; }
  // Mean error (of the logarithm) of the distance to the neighbours, on held-out rows. 0: exact.
  double search_error() const;

 private:
  std::vector<std::vector<Neighbour>> fit_index();

  std::shared_ptr<const NearIndex> index_;  // for many rows
  Matrix rows_;                             // multiplied by the column weights, if any
  std::size_t neighbours_;
  std::vector<double> column_weights_;  // of Gower's distance; empty: no categories
  Metric metric_;
  std::vector<double> k_distance_, density_;  // lrd of each row
};

// log q(x) of a density that is fitted on rows of the work space: "kde", "gmm", "mixture" (the one for
// categories) or another of docs/options.md. `group` as for Lof; `paper` as the option paper-density.
class LogDensity {
 public:
  LogDensity(DensityKind kind, const Matrix& rows, const std::vector<int>& group = {}, bool paper = false);
  double operator()(std::span<const double> x) const;

 private:
  std::shared_ptr<const Density> density_;
};

// The measures of one answer. NaN values are not measured and left out of the summary.
struct AnswerMetrics {
  static constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();
  std::size_t row = 0;  // which of the rows that were asked
  bool valid = false;
  Change change;
  double lof = unmeasured;
  double log_kde = unmeasured, log_gmm = unmeasured;
  double quantile = unmeasured;     // quantile of the answer's density within the class
  double nearest = unmeasured;      // l2 to the nearest training row of the target class
  std::optional<bool> below_floor;  // less typical than asked; empty: no floor was asked
  double seconds = unmeasured;
};

struct Summary {
  double mean = AnswerMetrics::unmeasured, median = AnswerMetrics::unmeasured,
         p95 = AnswerMetrics::unmeasured;
  std::size_t count = 0;                         // number of values
  double deviation = AnswerMetrics::unmeasured;  // standard deviation, of the values themselves (1/n)
};
// NaN values are ignored; quantiles are interpolated linearly. All results are NaN if no value remains.
Summary summary_of(std::span<const double> values);

struct Report {
  std::size_t answers = 0, failures = 0;
  double validity = AnswerMetrics::unmeasured;  // share of valid answers
  std::optional<std::size_t> below_floor;       // valid, but less typical than asked
  Summary l2, l1, l0, distance, lof, log_kde, log_gmm, quantile, nearest;  // of the valid answers
  Summary seconds;  // of all answers, including failures
};
Report summarise(std::span<const AnswerMetrics> answers);

}  // namespace scfe
