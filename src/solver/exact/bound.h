// Which supports are worth a grid search: all of one size whose bound reaches the goal, best bound first.
//
//     U_r(S) = base_r + sum over trees of max { value_r(leaf) : leaf open to S }
//
// Supports grow feature by feature; a new feature adds only the leaves whose last conflict it is. Sharing a
// leaf's gain equally among its conflicts gives a(f) with U(S + Q) <= base + sum of a over S + Q, which
// prunes branches that cannot reach the goal.
#pragma once

#include <functional>
#include <vector>

#include "solver/exact/goal.h"
#include "solver/exact/leaves.h"

namespace scfe {

struct Support {
  double slack;  // by how much the bound exceeds what is needed
  std::array<std::uint16_t, ExactLeaves::most_changes> feature;  // ascending
};

class ExactBound {
 public:
  ExactBound(const ExactCells& cells, const ExactAxes& axes, const ExactGoal& goal)
      : cells_(cells), axes_(axes), goal_(goal) {}

  // Requires leaves.collect with at least `size` changes. Ignores leaves that cost `limit` or more. Returns
  // false if the list is incomplete: there are more than `most` supports, or `stop` returned true.
  bool list(const ExactLeaves& leaves, std::size_t size, double limit, std::size_t most,
            const std::function<bool()>& stop);
  std::span<const Support> supports() const { return supports_; }

 private:
  void prepare(const ExactLeaves& leaves, std::size_t size, double limit);
  double cost_of(const ExactLeaves& leaves, const ExactLeaves::Leaf& leaf) const;
  void grow(const ExactLeaves& leaves, std::size_t from);
  bool hopeless(std::size_t from) const;
  void add(const ExactLeaves& leaves, std::size_t place);
  void keep();

  struct Raise {
    std::size_t at;
    double before;
  };

  const ExactCells& cells_;
  const ExactAxes& axes_;
  const ExactGoal& goal_;
  std::size_t size_ = 0, most_ = 0, visited_ = 0;
  bool complete_ = true;
  const std::function<bool()>* stop_ = nullptr;
  std::vector<std::uint16_t> order_;            // active features, most promising first
  std::vector<double> share_;                   // a(f) by place in the order, [place][rival]
  std::vector<double> best_share_;              // the largest from that place on, [place][rival]
  std::vector<std::uint32_t> place_;            // of each feature in the order
  std::vector<std::uint32_t> begin_, entries_;  // leaves by the place of their last conflict
  std::vector<double> current_, sum_, shared_;  // of each tree; of the support so far, by depth
  std::vector<char> chosen_;
  std::vector<std::uint16_t> support_;
  std::vector<Raise> raises_;
  std::vector<Support> supports_;
};

}  // namespace scfe
