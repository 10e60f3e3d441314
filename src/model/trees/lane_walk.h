// The leaves of an ensemble for up to 64 rows at once.
//
//     a node is visited with the set of rows (bits) that reach it
//     rows at or below v    of each input, for each of its values v in ascending order (bits)
//     set & rows at or below the largest value that goes left: one part; the rest: the other
//
// A search asks about many rows that differ in one feature, so that inputs have few values and most sets stay
// whole. Each row meets its
// leaves in the order of the trees, so its sums have the bits of a walk of that row alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trees/ensemble.h"

namespace scfe {

// Value: the type of the rows, float or double. Rows of doubles for an ensemble in single precision must have
// been rounded to it.
template <class Value>
class LaneWalk {
 public:
  static constexpr std::size_t lanes = 64;

  // Needs the ensemble for as long as it lives.
  explicit LaneWalk(const Ensemble& ensemble);

  // The values of each input among some rows.
  class Values {
   public:
    explicit Values(std::size_t inputs) : inputs_(inputs) {}

   private:
    friend class LaneWalk;
    struct Step {
      Value value;
      std::uint64_t rows;  // with this value or a smaller one
    };
    struct Input {
      Value lo = 0, hi = 0;
      std::uint32_t first = 0, last = 0;  // steps; of one value: none
      std::uint64_t missing = 0;          // rows without a value
    };
    std::vector<Input> inputs_;
    std::vector<Step> steps_;
  };
  // count rows: x[input * stride + row].
  struct Rows {
    const Value* x;
    std::size_t stride, count;
  };

  // Adds the leaves' values to total[score · lanes + row]. `values` is scratch.
  template <class Real>
  void add(const Rows& rows, Values& values, Real* total) const;

 private:
  static constexpr std::uint32_t leaf = (std::uint32_t{1} << 30) - 1;
  struct Node {
    Value threshold;
    std::uint32_t input : 30;  // leaf: none
    bool codes : 1, missing_left : 1;
    std::uint32_t left, right;  // of a leaf: its values in the ensemble, from left to right - 1
  };
  struct Set {
    std::uint32_t at;
    std::uint64_t rows;
  };

  static void list(const Value* x, std::size_t count, std::uint32_t input, Values& values);
  std::uint64_t left_of(std::uint32_t at, std::uint64_t rows, const Values& values) const;
  template <class Real>
  void add_leaf(const Set& set, std::uint64_t all, Real* total) const;

  const Ensemble& ensemble_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> split_;  // the inputs on which some tree splits
};

}  // namespace scfe
