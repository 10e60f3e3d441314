#include "solver/exact/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t small_grid = 4096;

}  // namespace

bool ExactGrid::search(const ExactLeaves& leaves, std::span<const std::size_t> axes, ExactJudge& judge) {
  dims_ = axes.size();
  stopped_ = false;
  dim_of_axis_.assign(axes_.size(), -1);
  // Levels first, numbers last: prefix sums then run over neighbours in memory.
  std::size_t dim = 0;
  for (const bool levels : {true, false})
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes_[axes[i]].levels != levels) continue;
      axis_[dim] = &axes_[axes[i]];
      place_[dim] = i;
      dim_of_axis_[axes[i]] = static_cast<int>(dim++);
    }
  std::array<std::uint16_t, most> features;
  for (std::size_t i = 0; i < axes.size(); ++i)
    features[i] = static_cast<std::uint16_t>(axes_[axes[i]].feature);
  judge.set_support({features.data(), axes.size()});
  Region region;
  for (std::size_t d = 0; d < dims_; ++d) region[d] = axis_[d]->all();
  if (!trim(region, judge.limit()) || !may_be_plausible(region, judge)) return true;
  gather(leaves);
  if (lists_.empty()) lists_.resize(1);
  lists_[0].resize(open_.size());
  for (std::uint32_t i = 0; i < open_.size(); ++i) lists_[0][i] = i;
  explore(1, region, judge);
  return !stopped_;
}

// The leaves whose conflicts are a subset of the support.
void ExactGrid::gather(const ExactLeaves& leaves) {
  open_.clear();
  std::array<std::uint16_t, most> features, subset;
  for (std::size_t d = 0; d < dims_; ++d) features[d] = static_cast<std::uint16_t>(axis_[d]->feature);
  std::sort(features.begin(), features.begin() + static_cast<std::ptrdiff_t>(dims_));
  for (unsigned bits = 0; bits < 1U << dims_; ++bits) {
    std::size_t count = 0;
    for (std::size_t d = 0; d < dims_; ++d)
      if ((bits >> d & 1) != 0) subset[count++] = features[d];
    for (std::uint32_t at = leaves.first({subset.data(), count}); at != ExactLeaves::none;
         at = leaves.leaves()[at].next)
      gather_leaf(leaves, leaves.leaves()[at]);
  }
}

void ExactGrid::gather_leaf(const ExactLeaves& leaves, const ExactLeaves::Leaf& leaf) {
  Open open{leaf.tree, leaf.number, {}};
  for (std::size_t d = 0; d < dims_; ++d) open.range[d] = axis_[d]->all();
  for (const ExactLeaves::Side& side : leaves.sides(leaf)) {
    const int dim = dim_of_axis_[side.axis];
    if (dim < 0) continue;
    if (axes_[side.axis].empty(side.range)) return;
    open.range[static_cast<std::size_t>(dim)] = side.range;
  }
  open_.push_back(open);
}

// Removes values that are too dear even if the other axes cost their least. False if an axis becomes empty.
bool ExactGrid::trim(Region& region, double limit) const {
  std::array<double, most> least;
  double total = 0;
  for (std::size_t d = 0; d < dims_; ++d) {
    if (axis_[d]->empty(region[d])) return false;
    total += least[d] = axis_[d]->least(region[d]);
  }
  if (total >= limit) return false;
  for (std::size_t d = 0; d < dims_; ++d) {
    if (std::isfinite(limit)) region[d] = axis_[d]->cheaper(region[d], limit - (total - least[d]));
    if (axis_[d]->empty(region[d])) return false;
  }
  return true;
}

void ExactGrid::set_sides(const Region& region) {
  sides_.resize(dims_);
  for (std::size_t d = 0; d < dims_; ++d) {
    const ExactAxis& axis = *axis_[d];
    if (!axis.levels) {
      sides_[place_[d]] = {axis.in_work[region[d].first()], axis.in_work[region[d].last() - 1]};
      continue;
    }
    columns_[d].clear();
    for (std::uint64_t bits = region[d].bits; bits != 0; bits &= bits - 1)
      columns_[d].push_back(axis.column[static_cast<std::size_t>(std::countr_zero(bits))]);
    sides_[place_[d]] = {.columns = columns_[d]};
  }
}

// False if log q is too small to matter everywhere in the region.
bool ExactGrid::may_be_plausible(const Region& region, const ExactJudge& judge) {
  if (reach_ == nullptr) return true;
  set_sides(region);
  return reach_->may_reach(sides_, judge.least_density());
}

// Lists the open leaves that intersect the region. True if the best of each tree together reach the goal.
bool ExactGrid::worth(std::size_t level, const Region& region) {
  const std::size_t rivals = goal_.rivals();
  if (lists_.size() <= level) lists_.resize(level + 1);
  std::vector<std::uint32_t>& list = lists_[level];
  list.clear();
  best_.assign(cells_.roots().size() * rivals, -INFINITY);
  for (const std::uint32_t i : lists_[level - 1]) {
    const Open& open = open_[i];
    bool meets = true;
    for (std::size_t d = 0; d < dims_ && meets; ++d)
      meets = !axis_[d]->empty(axis_[d]->common(open.range[d], region[d]));
    if (!meets) continue;
    list.push_back(i);
    const std::span<const double> value = goal_.leaf_value(open.number);
    for (std::size_t r = 0; r < rivals; ++r) {
      double& best = best_[open.tree * rivals + r];
      best = std::max(best, value[r]);
    }
  }
  for (std::size_t r = 0; r < rivals; ++r) {
    double sum = goal_.base()[r];
    for (std::size_t t = 0; t < cells_.roots().size(); ++t) sum += best_[t * rivals + r];
    if (sum < goal_.needed() - 1e-9) return false;
  }
  return true;
}

void ExactGrid::explore(std::size_t level, Region region, ExactJudge& judge) {
  if ((++explored_ & 15) == 0 && judge.out_of_time()) stopped_ = true;
  if (stopped_ || !trim(region, judge.limit()) || !may_be_plausible(region, judge) || !worth(level, region))
    return;
  std::size_t points = 1;
  for (std::size_t d = 0; d < dims_; ++d)
    points *= std::min(axis_[d]->count(region[d]), std::size_t{1} << 20);
  if (points > std::max(small_grid, 2 * lists_[level].size())) return halve(level, region, judge);
  fill(level, region);
  scan(judge);
}

void ExactGrid::halve(std::size_t level, const Region& region, ExactJudge& judge) {
  std::size_t longest = 0;
  for (std::size_t d = 1; d < dims_; ++d)
    if (axis_[d]->count(region[d]) > axis_[longest]->count(region[longest])) longest = d;
  const ExactAxis& axis = *axis_[longest];
  Region low = region, high = region;
  if (axis.levels) {
    std::uint64_t half = 0, rest = region[longest].bits;
    for (std::size_t n = axis.count(region[longest]) / 2; n > 0; --n, rest &= rest - 1)
      half |= rest & (~rest + 1);
    low[longest] = {half};
    high[longest] = {rest};
  } else {
    const std::size_t first = region[longest].first(), last = region[longest].last();
    // Splits at x_f first: costs then grow in one direction in each half.
    const std::size_t cut = first < axis.own && axis.own < last ? axis.own : (first + last) / 2;
    low[longest] = AxisRange::between(first, cut);
    high[longest] = AxisRange::between(cut, last);
  }
  if (axis.least(high[longest]) < axis.least(low[longest])) std::swap(low, high);
  explore(level + 1, low, judge);
  explore(level + 1, high, judge);
}

}  // namespace scfe
