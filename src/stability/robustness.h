// Stability: the least margin of an answer over all inputs near it.
//
//     box: every number moves by up to eps of its range in the training rows, in whole steps if it has any;
//          levels stay; a derived column covers the range of its formula over the box
//          (actionability/formula_range.h)
//
//     linear score      exact:    t(x) - sum_j |a_j| r_j
//     tree ensemble     exact:    branch and bound over the cells that the box meets (tree_cells.h)
//     dense network     bounded:  lines around every activation, carried back from the scores
//                                 (model/network/bounds.h)
//     anything else     sampled:  points of the box, among them the corner towards which the linearised
//     margin falls most
//
// With derived columns, linear scores and tree ensembles are only bounded, because the box ignores that a
// column and its sources move together. Models sum in single precision: the largest possible rounding error
// is subtracted from exact margins and bounds.
//
// An answer whose bound is too low may still be stable. Samples that all hold prove nothing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/network/bounds.h"
#include "query/query.h"
#include "scfe/explanation.h"
#include "stability/tree_cells.h"

namespace scfe {

class CodedNetwork;
class TreeSearches;

class Robustness {
 public:
  // Numbers move by up to query.options.robust of their ranges. After query.deadline bounds get coarser.
  explicit Robustness(const Query& query);

  StabilityProof proof() const { return proof_; }
  // The least margin over the box around a row, or a lower bound of it.
  double operator()(std::span<const double> values) const;
  // True if that is at least the required margin. Faster than computing the margin.
  bool holds(std::span<const double> values) const;
  // How far one number of a row may move towards `to`, alone and in its steps, while the row stays valid:
  // exact for linear scores and tree ensembles, checked at 64 points of the way for other models.
  double room(std::span<const double> values, std::size_t feature, double to) const;

 private:
  InputBox box_around(std::span<const double> values) const;
  double as_written(std::size_t feature, double x) const;
  bool derive(std::span<const double> values, std::span<double> row) const;
  double by_box(const InputBox& box, bool only_whether) const;
  double by_bounds(const InputBox& box) const;
  double by_cells(const InputBox& box, bool only_whether = false) const;
  double least_total(const InputBox& box, const LeastTotal::Score& score,
                     const LeastTotal::Until& until) const;
  double rounding_of_cells() const;
  double most_of_cells() const;
  double by_samples(std::span<const double> values) const;
  bool stays_valid(std::span<const double> values, std::size_t feature, double to) const;

  const Fitted& fitted_;
  const Validity& validity_;
  std::size_t target_;
  Deadline deadline_;
  StabilityProof proof_;
  std::vector<double> radius_;           // of each feature
  std::vector<char> moves_;              // for each input: true if it moves
  const CodedNetwork* coded_ = nullptr;  // a network with codes: dense layers once its codes are fixed
  // Of a tree ensemble: error and upper bound of its sums, and what its searches share.
  double rounding_ = 0, most_ = 0;
  std::shared_ptr<TreeSearches> searches_;
};

}  // namespace scfe
