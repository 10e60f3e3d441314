#include "model/trees/lane_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace scfe {
namespace {

using Split = Ensemble::Split;

LaneWalk::Range range_of(const float* values, std::size_t count) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  float lo = values[0], hi = values[0];
  bool missing = false;
  for (std::size_t row = 0; row < count; ++row) {
    lo = std::min(lo, values[row]);
    hi = std::max(hi, values[row]);
    missing = missing || std::isnan(values[row]);
  }
  return missing ? LaneWalk::Range{none, none} : LaneWalk::Range{lo, hi};
}

}  // namespace

LaneWalk::LaneWalk(const Ensemble& ensemble) : ensemble_(ensemble) {
  for (const Ensemble::Node& node : ensemble.nodes)
    nodes_.push_back({single_threshold(node.threshold), node.split == Split::leaf ? leaf : node.input,
                      node.left, node.right, node.split == Split::codes, node.missing_left});
  for (const Node& node : nodes_)
    if (node.input != leaf) split_.push_back(node.input);
  std::ranges::sort(split_);
  split_.erase(std::unique(split_.begin(), split_.end()), split_.end());
}

bool LaneWalk::goes_left(std::uint32_t at, float x) const {
  const Node& node = nodes_[at];
  if (std::isnan(x)) return node.missing_left;
  return node.codes ? ensemble_.has_code(ensemble_.nodes[at], x) : x <= node.threshold;
}

// Which of the rows go left. Nothing is at most, or above, a value that is not a number.
inline std::uint64_t LaneWalk::left_of(std::uint32_t at, std::uint64_t rows, const float* x,
                                       const Range& range) const {
  const Node& node = nodes_[at];
  std::uint64_t left = 0;
  if (!node.codes && range.lo <= range.hi) {
    if (range.hi <= node.threshold) return rows;
    if (range.lo > node.threshold) return 0;
    for (std::uint64_t bits = rows; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(bits));
      left |= std::uint64_t{x[lane] <= node.threshold} << lane;
    }
    return left;
  }
  if (range.lo == range.hi) return goes_left(at, range.lo) ? rows : 0;
  for (std::uint64_t bits = rows; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(bits));
    left |= std::uint64_t{goes_left(at, x[lane])} << lane;
  }
  return left;
}

template <class Real>
void LaneWalk::add_leaf(const Set& set, std::uint64_t all, Real* total) const {
  const Ensemble::Node& node = ensemble_.nodes[set.at];
  for (std::uint32_t i = node.first; i < node.last; ++i) {
    Real* to = total + ensemble_.values[i].score * lanes;
    const auto value = static_cast<Real>(ensemble_.values[i].value);
    if (set.rows == all)
      for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] += value;
    else
      for (std::uint64_t bits = set.rows; bits != 0; bits &= bits - 1) to[std::countr_zero(bits)] += value;
  }
}

template <class Real>
void LaneWalk::add(const Block& x, std::size_t first, std::size_t count, std::vector<Range>& ranges,
                   Real* total) const {
  for (const std::uint32_t input : split_) ranges[input] = range_of(x[input] + first, count);
  const std::uint64_t all = ~std::uint64_t{0} >> (lanes - count);
  std::array<Set, lanes> waiting;  // disjoint, so there are no more
  for (const std::uint32_t root : ensemble_.roots) {
    std::size_t sets = 0;
    waiting[sets++] = {root, all};
    while (sets > 0) {
      Set set = waiting[--sets];
      while (nodes_[set.at].input != leaf) {
        const Node& node = nodes_[set.at];
        const std::uint64_t left = left_of(set.at, set.rows, x[node.input] + first, ranges[node.input]);
        const std::uint64_t right = set.rows & ~left;
        if (left != 0 && right != 0) waiting[sets++] = {node.right, right};
        set = left != 0 ? Set{node.left, left} : Set{node.right, right};
      }
      add_leaf(set, all, total);
    }
  }
}

template void LaneWalk::add(const Block&, std::size_t, std::size_t, std::vector<Range>&, float*) const;
template void LaneWalk::add(const Block&, std::size_t, std::size_t, std::vector<Range>&, double*) const;

}  // namespace scfe
