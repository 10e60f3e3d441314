#include "model/trees/lane_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace scfe {
namespace {

using Split = Ensemble::Split;

// The threshold for rows that were rounded to this type (Ensemble::goes_left).
template <class Value>
Value threshold_of(const Ensemble& ensemble, double threshold) {
  if constexpr (std::is_same_v<Value, float>)
    return single_threshold(threshold);
  else
    return ensemble.single ? static_cast<double>(static_cast<float>(threshold)) : threshold;
}

}  // namespace

template <class Value>
LaneWalk<Value>::LaneWalk(const Ensemble& ensemble) : ensemble_(ensemble) {
  for (const Ensemble::Node& node : ensemble.nodes) {
    const bool is_leaf = node.split == Split::leaf;
    nodes_.push_back({threshold_of<Value>(ensemble, node.threshold), (is_leaf ? leaf : node.input) & leaf,
                      node.split == Split::codes, node.missing_left, is_leaf ? node.first : node.left,
                      is_leaf ? node.last : node.right});
  }
  for (const Node& node : nodes_)
    if (node.input != leaf) split_.push_back(node.input);
  std::ranges::sort(split_);
  split_.erase(std::unique(split_.begin(), split_.end()), split_.end());
}

// Lists the values of an input with the rows that have them. Neighbours mostly have the same.
template <class Value>
void LaneWalk<Value>::list(const Value* x, std::size_t count, std::uint32_t input, Values& values) {
  auto& own = values.inputs_[input];
  auto& steps = values.steps_;
  own = {};
  own.first = own.last = static_cast<std::uint32_t>(steps.size());
  std::size_t place = own.first;
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint64_t bit = std::uint64_t{1} << row;
    if (std::isnan(x[row])) {
      own.missing |= bit;
      continue;
    }
    if (place == steps.size() || steps[place].value != x[row])
      for (place = own.first; place < steps.size() && steps[place].value != x[row];) ++place;
    if (place == steps.size()) steps.push_back({x[row], 0});
    steps[place].rows |= bit;
  }
  const auto begin = steps.begin() + own.first;
  std::sort(begin, steps.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  if (begin != steps.end()) {
    own.lo = begin->value;
    own.hi = steps.back().value;
  }
  std::uint64_t below = 0;
  for (auto step = begin; step != steps.end(); ++step) step->rows = below |= step->rows;
  own.last = static_cast<std::uint32_t>(steps.size());
}

// Which of the rows go left.
template <class Value>
inline std::uint64_t LaneWalk<Value>::left_of(std::uint32_t at, std::uint64_t rows,
                                              const Values& values) const {
  const Node& node = nodes_[at];
  const auto& input = values.inputs_[node.input];
  const auto* const first = values.steps_.data() + input.first;
  const auto* const last = values.steps_.data() + input.last;
  const std::uint64_t missing = node.missing_left ? input.missing : 0;
  std::uint64_t left = 0;
  if (node.codes) {
    std::uint64_t below = 0;
    for (const auto* step = first; step != last; below = step->rows, ++step)
      if (ensemble_.has_code(ensemble_.nodes[at], step->value)) left |= step->rows & ~below;
    return rows & (left | missing);
  }
  if (input.missing == 0 && input.hi <= node.threshold) return rows;
  if (first == last || input.lo > node.threshold) return rows & missing;
  const auto* const beyond = std::upper_bound(
      first, last, node.threshold, [](Value threshold, const auto& step) { return threshold < step.value; });
  return rows & (beyond[-1].rows | missing);
}

template <class Value>
template <class Real>
void LaneWalk<Value>::add_leaf(const Set& set, std::uint64_t all, Real* total) const {
  const Node& node = nodes_[set.at];
  for (std::uint32_t i = node.left; i < node.right; ++i) {
    Real* to = total + ensemble_.values[i].score * lanes;
    const auto value = static_cast<Real>(ensemble_.values[i].value);
    if (set.rows == all)
      for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] += value;
    else
      for (std::uint64_t bits = set.rows; bits != 0; bits &= bits - 1) to[std::countr_zero(bits)] += value;
  }
}

template <class Value>
template <class Real>
void LaneWalk<Value>::add(const Rows& rows, Values& values, Real* total) const {
  values.steps_.clear();
  for (const std::uint32_t input : split_) list(rows.x + input * rows.stride, rows.count, input, values);
  const std::uint64_t all = ~std::uint64_t{0} >> (lanes - rows.count);
  std::array<Set, lanes> waiting;  // disjoint, so there are no more
  for (const std::uint32_t root : ensemble_.roots) {
    std::size_t sets = 0;
    waiting[sets++] = {root, all};
    while (sets > 0) {
      Set set = waiting[--sets];
      while (nodes_[set.at].input != leaf) {
        const Node& node = nodes_[set.at];
        const std::uint64_t left = left_of(set.at, set.rows, values);
        const std::uint64_t right = set.rows & ~left;
        if (left != 0 && right != 0) waiting[sets++] = {node.right, right};
        set = left != 0 ? Set{node.left, left} : Set{node.right, right};
      }
      add_leaf(set, all, total);
    }
  }
}

template class LaneWalk<float>;
template class LaneWalk<double>;
template void LaneWalk<float>::add(const Rows&, Values&, float*) const;
template void LaneWalk<float>::add(const Rows&, Values&, double*) const;
template void LaneWalk<double>::add(const Rows&, Values&, float*) const;
template void LaneWalk<double>::add(const Rows&, Values&, double*) const;

}  // namespace scfe
