// The leaves that one row can reach by changing at most k features, each with the features that must change
// (its conflicts: x_f is outside the leaf's box there). A leaf is open to a support S if its conflicts are in
// S.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solver/exact/axes.h"

namespace scfe {

class ExactLeaves {
 public:
  static constexpr std::size_t most_changes = 8;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Side {
    std::uint32_t axis;
    AxisRange range;
  };
  struct Leaf {
    std::uint32_t tree, number;
    std::uint32_t first, last;  // sides
    std::uint32_t next;         // with the same conflicts
    std::uint8_t conflicts = 0;
    std::array<std::uint16_t, most_changes> conflict;  // features, ascending
  };

  ExactLeaves(const ExactCells& cells, const ExactAxes& axes);

  void collect(std::size_t max_changes);

  std::span<const Leaf> leaves() const { return leaves_; }
  std::span<const Side> sides(const Leaf& leaf) const {
    return {sides_.data() + leaf.first, leaf.last - leaf.first};
  }
  // The first leaf with exactly these conflicts, in ascending order, or `none`. Leaf::next has further ones.
  std::uint32_t first(std::span<const std::uint16_t> conflicts) const;

 private:
  void descend(std::uint32_t at);
  void descend_number(const ExactCells::Node& node, std::size_t axis);
  void descend_levels(const ExactCells::Node& node);
  void follow(std::uint32_t child, std::size_t feature, bool own_goes);
  void record(std::uint32_t number);
  std::size_t slot_of(std::span<const std::uint16_t> conflicts) const;
  void grow_table();

  const ExactCells& cells_;
  const ExactAxes& axes_;
  std::size_t max_changes_ = 0;
  std::uint32_t tree_ = 0;
  std::vector<AxisRange> range_;        // of each axis on the way down
  std::vector<char> against_;           // of each feature: x_f is outside
  std::vector<std::uint32_t> touched_;  // features split on the way down, each once
  std::vector<char> is_touched_;
  std::vector<std::uint16_t> conflict_;
  std::vector<Leaf> leaves_;
  std::vector<Side> sides_;
  std::vector<std::uint32_t> table_;  // open addressing: heads of lists
  std::size_t lists_ = 0;
};

}  // namespace scfe
