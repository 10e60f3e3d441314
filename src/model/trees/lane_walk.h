// The leaves of an ensemble for up to 64 rows at once.
//
//     a node is visited with the set of rows (bits) that reach it
//     input constant over the rows, or all on one side of the threshold: the set goes on as a whole
//     else it is divided, and each part goes on by itself
//
// A search asks about many rows that differ in one feature, so that most sets stay whole. Each row meets its
// leaves in the order of the trees, so its sums have the bits of a walk of that row alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trees/ensemble.h"
#include "scfe/block.h"

namespace scfe {

class LaneWalk {
 public:
  static constexpr std::size_t lanes = 64;

  // Needs the ensemble for as long as it lives.
  explicit LaneWalk(const Ensemble& ensemble);

  // The least and the largest value of each input among some rows; not a number if one of them is missing.
  struct Range {
    float lo, hi;
  };

  // Adds the leaves' values to total[score · lanes + row] for rows first .. first + count - 1 of x. `range`
  // is scratch of one entry for each input.
  template <class Real>
  void add(const Block& x, std::size_t first, std::size_t count, std::vector<Range>& range,
           Real* total) const;

 private:
  static constexpr std::uint32_t leaf = ~std::uint32_t{0};
  struct Node {
    float threshold;
    std::uint32_t input;  // leaf: none
    std::uint32_t left, right;
    bool codes, missing_left;
  };
  struct Set {
    std::uint32_t at;
    std::uint64_t rows;
  };

  bool goes_left(std::uint32_t at, float x) const;
  std::uint64_t left_of(std::uint32_t at, std::uint64_t rows, const float* x, const Range& range) const;
  template <class Real>
  void add_leaf(const Set& set, std::uint64_t all, Real* total) const;

  const Ensemble& ensemble_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> split_;  // the inputs on which some tree splits
};

}  // namespace scfe
