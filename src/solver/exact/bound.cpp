#include "solver/exact/bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scfe {

double ExactBound::cost_of(const ExactLeaves& leaves, const ExactLeaves::Leaf& leaf) const {
  double cost = 0;
  for (std::size_t i = 0; i < leaf.conflicts; ++i) {
    double least = INFINITY;
    for (const ExactLeaves::Side& side : leaves.sides(leaf)) {
      const ExactAxis& axis = axes_[side.axis];
      if (axis.feature == leaf.conflict[i] && !axis.empty(side.range))
        least = std::min(least, axis.least(side.range));
    }
    cost += least;
  }
  return cost;
}

void ExactBound::prepare(const ExactLeaves& leaves, std::size_t size, double limit) {
  const std::size_t rivals = goal_.rivals(), trees = cells_.roots().size();
  order_.clear();
  std::size_t features = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    features = axes_[a].feature + 1;
    if (order_.empty() || order_.back() != axes_[a].feature)
      order_.push_back(static_cast<std::uint16_t>(axes_[a].feature));
  }
  // Each tree begins at the leaf of x_f.
  current_.assign(trees * rivals, 0);
  sum_.assign((size + 1) * rivals, 0);
  std::ranges::copy(goal_.base(), sum_.begin());
  for (const ExactLeaves::Leaf& leaf : leaves.leaves()) {
    if (leaf.conflicts > 0) continue;
    const std::span<const double> value = goal_.leaf_value(leaf.number);
    for (std::size_t r = 0; r < rivals; ++r) sum_[r] += current_[leaf.tree * rivals + r] = value[r];
  }
  // Gains, shared among conflicts; the best of each tree for each feature.
  std::vector<double> share(features * rivals, 0), in_tree(features * rivals, 0);
  std::vector<std::uint32_t> useful;
  std::vector<std::size_t> raised;
  const auto settle = [&] {
    for (const std::size_t at : raised) {
      share[at] += in_tree[at];
      in_tree[at] = 0;
    }
    raised.clear();
  };
  std::uint32_t tree = 0;
  for (std::uint32_t i = 0; i < leaves.leaves().size(); ++i) {
    const ExactLeaves::Leaf& leaf = leaves.leaves()[i];
    if (leaf.tree != tree) settle();
    tree = leaf.tree;
    if (leaf.conflicts == 0 || leaf.conflicts > size) continue;
    const std::span<const double> value = goal_.leaf_value(leaf.number);
    bool gains = false;
    for (std::size_t r = 0; r < rivals; ++r) gains = gains || value[r] > current_[leaf.tree * rivals + r];
    if (!gains || (std::isfinite(limit) && cost_of(leaves, leaf) >= limit)) continue;
    useful.push_back(i);
    for (std::size_t r = 0; r < rivals; ++r) {
      const double gain = (value[r] - current_[leaf.tree * rivals + r]) / leaf.conflicts;
      for (std::size_t c = 0; c < leaf.conflicts; ++c) {
        double& best = in_tree[leaf.conflict[c] * rivals + r];
        if (gain <= best) continue;
        if (best == 0) raised.push_back(leaf.conflict[c] * rivals + r);
        best = gain;
      }
    }
  }
  settle();

  std::ranges::stable_sort(
      order_, [&](std::uint16_t a, std::uint16_t b) { return share[a * rivals] > share[b * rivals]; });
  place_.assign(features, 0);
  share_.assign(order_.size() * rivals, 0);
  best_share_.assign((order_.size() + 1) * rivals, 0);
  for (std::size_t p = order_.size(); p-- > 0;) {
    place_[order_[p]] = static_cast<std::uint32_t>(p);
    for (std::size_t r = 0; r < rivals; ++r) {
      share_[p * rivals + r] = share[order_[p] * rivals + r];
      best_share_[p * rivals + r] = std::max(share_[p * rivals + r], best_share_[(p + 1) * rivals + r]);
    }
  }
  // Leaves by the place of their last conflict: a counting sort.
  begin_.assign(order_.size() + 1, 0);
  entries_.resize(useful.size());
  const auto last_place = [&](std::uint32_t i) {
    const ExactLeaves::Leaf& leaf = leaves.leaves()[i];
    std::uint32_t last = 0;
    for (std::size_t c = 0; c < leaf.conflicts; ++c) last = std::max(last, place_[leaf.conflict[c]]);
    return last;
  };
  for (const std::uint32_t i : useful) ++begin_[last_place(i) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end());
  for (const std::uint32_t i : useful) entries_[next[last_place(i)]++] = i;
  chosen_.assign(features, 0);
  shared_ = sum_;
}

bool ExactBound::list(const ExactLeaves& leaves, std::size_t size, double limit, std::size_t most,
                      const std::function<bool()>& stop) {
  size_ = size;
  most_ = most;
  stop_ = &stop;
  visited_ = 0;
  complete_ = true;
  supports_.clear();
  support_.clear();
  raises_.clear();
  prepare(leaves, size, limit);
  grow(leaves, 0);
  std::ranges::stable_sort(supports_, [](const Support& a, const Support& b) { return a.slack > b.slack; });
  return complete_;
}

bool ExactBound::hopeless(std::size_t from) const {
  const std::size_t rivals = goal_.rivals(), depth = support_.size();
  const auto open = static_cast<double>(size_ - depth);
  for (std::size_t r = 0; r < rivals; ++r)
    if (shared_[depth * rivals + r] + open * best_share_[from * rivals + r] < goal_.needed() - 1e-9)
      return true;
  return false;
}

void ExactBound::grow(const ExactLeaves& leaves, std::size_t from) {
  if (support_.size() == size_) return keep();
  const std::size_t rivals = goal_.rivals(), depth = support_.size(), missing = size_ - depth;
  for (std::size_t place = from; place + missing <= order_.size() && complete_; ++place) {
    if (hopeless(place)) return;
    const std::size_t mark = raises_.size();
    const std::uint16_t f = order_[place];
    chosen_[f] = 1;
    support_.push_back(f);
    for (std::size_t r = 0; r < rivals; ++r) {
      const std::size_t here = depth * rivals + r, there = here + rivals;
      sum_[there] = sum_[here];
      shared_[there] = shared_[here] + share_[place * rivals + r];
    }
    add(leaves, place);
    grow(leaves, place + 1);
    while (raises_.size() > mark) {
      current_[raises_.back().at] = raises_.back().before;
      raises_.pop_back();
    }
    support_.pop_back();
    chosen_[f] = 0;
  }
}

void ExactBound::add(const ExactLeaves& leaves, std::size_t place) {
  const std::size_t rivals = goal_.rivals();
  double* sum = sum_.data() + support_.size() * rivals;
  for (std::uint32_t e = begin_[place]; e < begin_[place + 1]; ++e) {
    const ExactLeaves::Leaf& leaf = leaves.leaves()[entries_[e]];
    bool open = true;
    for (std::size_t c = 0; c < leaf.conflicts && open; ++c) open = chosen_[leaf.conflict[c]] != 0;
    if (!open) continue;
    const std::span<const double> value = goal_.leaf_value(leaf.number);
    for (std::size_t r = 0; r < rivals; ++r) {
      const std::size_t at = leaf.tree * rivals + r;
      if (value[r] <= current_[at]) continue;
      raises_.push_back({at, current_[at]});
      sum[r] += value[r] - current_[at];
      current_[at] = value[r];
    }
  }
}

void ExactBound::keep() {
  double slack = INFINITY;
  for (std::size_t r = 0; r < goal_.rivals(); ++r)
    slack = std::min(slack, sum_[size_ * goal_.rivals() + r] - goal_.needed());
  if ((++visited_ & 255) == 0 && (*stop_)()) complete_ = false;
  if (slack < -1e-9) return;
  if (supports_.size() >= most_) {
    complete_ = false;
    return;
  }
  Support& kept = supports_.emplace_back(Support{slack, {}});
  std::ranges::copy(support_, kept.feature.begin());
  std::sort(kept.feature.begin(), kept.feature.begin() + static_cast<std::ptrdiff_t>(size_));
}

}  // namespace scfe
