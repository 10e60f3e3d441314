// How large log q can get near a row: upper bounds over the rows that differ from a factual x_f in a few
// features, each within its limits. For a sum of products (plausibility/separable.h), with one term t_kf for
// all columns of a feature:
// clang-format off
//
//     on a support S   log q(x) <= form(log sum_k exp(w_k + sum_{f not in S} t_kf(x_f) + sum_{f in S} most_kf))
//     with m changes   log q(x) <= the same with the m features of each component that gain the most
//     most_kf          the largest t_kf over the values that feature f may take
//
// clang-format on
// Each component may choose values (and features) of its own, so the bounds are sharp only where one prevails
// or where a box is small, but they are never below log q.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "plausibility/separable.h"

namespace scfe {

class Space;
struct Factual;

// The limits of one row.
struct Reachable {
  std::vector<double> factual;     // x_f, by column
  std::vector<double> lo, hi;      // by column: lo <= x - x_f <= hi; of a category, hi > 0 where it may go
  std::vector<std::size_t> first;  // columns of feature f: first[f] .. first[f + 1] - 1
  std::vector<char> category;      // by feature
  std::vector<char> free;          // by feature: true if its changes are not counted

  std::size_t features() const { return free.size(); }
};
// Derived features are free, and may become anything.
Reachable reachable(const Space& space, const Factual& row);

class ReachableDensity {
 public:
  ReachableDensity(Separable density, const Reachable& where);
  ReachableDensity(ReachableDensity&&) = default;
  ReachableDensity(const ReachableDensity&) = delete;  // sides refer to its own levels
  ReachableDensity& operator=(const ReachableDensity&) = delete;
  ~ReachableDensity() = default;

  // What evaluate() may differ from the bounds by rounding, for densities of about this size.
  static double rounding(double log_density) { return 1e-3 + 1e-4 * std::abs(log_density); }

  // Over the rows with at most 0, 1, ... most_changes changes.
  std::vector<double> by_changes(std::size_t most_changes) const;

  // The support of the boxes below. Its features must not be free.
  void set_support(std::span<const std::uint16_t> features);
  // A number between lo and hi (by column), or one of the levels that these columns stand for.
  struct Side {
    float lo = 0, hi = 0;
    std::span<const std::uint32_t> columns = {};
  };
  // Over a box with a side for each feature of the support, in its order.
  double most(std::span<const Side> sides);
  // Over all that the support may become.
  double most();
  // False if no row in the box has log q >= least, as evaluate() computes it.
  bool may_reach(std::span<const Side> sides, double least);

 private:
  void fold_category(const Reachable& where, std::size_t feature);
  double own_term(std::size_t component, std::size_t feature) const;
  double most_term(std::size_t component, std::size_t feature) const;
  void sum(std::span<const Side> sides);
  double peak() const;
  double log_sum() const;
  double formed(double log_sum) const;

  Separable density_;  // log_levels: what a level adds, for the columns of categories
  std::vector<std::uint32_t> first_;
  std::vector<char> category_;
  std::vector<float> factual_;  // by column
  std::vector<Side> limits_;    // of each feature
  std::vector<std::vector<std::uint32_t>> levels_;
  std::vector<char> free_;
  std::vector<double> own_;  // exponents at x_f, free features at their best
  std::vector<std::uint16_t> support_;
  std::vector<float> rest_, exponents_;  // of each component: without the support; of a box
  std::vector<Side> sides_;
};

}  // namespace scfe
