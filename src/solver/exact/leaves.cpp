#include "solver/exact/leaves.h"

#include <algorithm>

namespace scfe {

ExactLeaves::ExactLeaves(const ExactCells& cells, const ExactAxes& axes) : cells_(cells), axes_(axes) {}

void ExactLeaves::collect(std::size_t max_changes) {
  max_changes_ = max_changes;
  leaves_.clear();
  sides_.clear();
  lists_ = 0;
  table_.assign(std::max<std::size_t>(table_.size(), 256), none);
  range_.resize(axes_.size());
  std::size_t features = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    range_[axis] = axes_[axis].all();
    features = std::max(features, axes_[axis].feature + 1);
  }
  against_.assign(features, 0);
  is_touched_.assign(features, 0);
  for (tree_ = 0; tree_ < cells_.roots().size(); ++tree_) descend(cells_.roots()[tree_]);
}

void ExactLeaves::descend(std::uint32_t at) {
  for (;;) {
    const ExactCells::Node& node = cells_.node(at);
    if (node.feature == ExactCells::leaf) return record(node.place);
    const std::size_t f = node.feature;
    if (axes_.active(f)) {
      const bool fresh = is_touched_[f] == 0;
      if (fresh) {
        is_touched_[f] = 1;
        touched_.push_back(node.feature);
      }
      if (cells_.column(f).category)
        descend_levels(node);
      else
        descend_number(node, axes_.first_axis(f));
      if (fresh) {
        is_touched_[f] = 0;
        touched_.pop_back();
      }
      return;
    }
    bool left = node.missing_left;
    if (!axes_.missing(f)) {
      const std::size_t own = axes_.own_cell(f);
      left = cells_.column(f).category
                 ? (cells_.word(node.place + static_cast<std::uint32_t>(own / 64)) >> (own % 64) & 1) != 0
                 : own <= node.place;
    }
    at = left ? node.left : node.right;
  }
}

// Descends into a child whose ranges are set, if x_f or some candidate is inside.
void ExactLeaves::follow(std::uint32_t child, std::size_t f, bool own_goes) {
  const bool turns = !own_goes && against_[f] == 0;
  if (turns || against_[f] != 0) {
    bool reachable = false;
    for (std::size_t axis = axes_.first_axis(f); axis < axes_.first_axis(f + 1); ++axis)
      reachable = reachable || !axes_[axis].empty(range_[axis]);
    if (!reachable) return;
  }
  if (!turns) return descend(child);
  if (conflict_.size() == max_changes_) return;
  against_[f] = 1;
  conflict_.push_back(static_cast<std::uint16_t>(f));
  descend(child);
  conflict_.pop_back();
  against_[f] = 0;
}

void ExactLeaves::descend_number(const ExactCells::Node& node, std::size_t a) {
  const ExactAxis& axis = axes_[a];
  const AxisRange before = range_[a];
  const std::size_t border = axis.first[node.place + 1];
  const bool own_left = axes_.own_cell(axis.feature) <= node.place;
  const std::size_t feature = axis.feature;
  range_[a] = AxisRange::between(before.first(), std::min(before.last(), border));
  follow(node.left, feature, own_left);
  range_[a] = AxisRange::between(std::max(before.first(), border), before.last());
  follow(node.right, feature, !own_left);
  range_[a] = before;
}

void ExactLeaves::descend_levels(const ExactCells::Node& node) {
  const std::size_t f = node.feature, first = axes_.first_axis(f), last = axes_.first_axis(f + 1);
  const std::size_t own = axes_.own_cell(f);
  const bool own_left =
      (cells_.word(node.place + static_cast<std::uint32_t>(own / 64)) >> (own % 64) & 1) != 0;
  std::array<AxisRange, 4> few;
  std::vector<AxisRange> many(last - first > few.size() ? last - first : 0);
  AxisRange* before = many.empty() ? few.data() : many.data();
  std::copy_n(range_.begin() + static_cast<std::ptrdiff_t>(first), last - first, before);
  for (const bool left : {true, false}) {
    for (std::size_t a = first; a < last; ++a) {
      const std::uint64_t goes_left =
          axes_[a].by_candidate(cells_.word(node.place + static_cast<std::uint32_t>(axes_[a].word_index)));
      range_[a] = {before[a - first].bits & (left ? goes_left : ~goes_left)};
    }
    follow(left ? node.left : node.right, f, left == own_left);
  }
  std::copy_n(before, last - first, range_.begin() + static_cast<std::ptrdiff_t>(first));
}

void ExactLeaves::record(std::uint32_t number) {
  Leaf leaf{tree_, number, static_cast<std::uint32_t>(sides_.size()), 0, none, 0, {}};
  for (const std::uint32_t f : touched_)
    for (std::size_t a = axes_.first_axis(f); a < axes_.first_axis(f + 1); ++a)
      sides_.push_back({static_cast<std::uint32_t>(a), range_[a]});
  leaf.last = static_cast<std::uint32_t>(sides_.size());
  leaf.conflicts = static_cast<std::uint8_t>(conflict_.size());
  std::ranges::copy(conflict_, leaf.conflict.begin());
  std::sort(leaf.conflict.begin(), leaf.conflict.begin() + leaf.conflicts);
  if (2 * (lists_ + 1) > table_.size()) grow_table();
  const std::size_t slot = slot_of({leaf.conflict.data(), leaf.conflicts});
  if (table_[slot] == none) ++lists_;
  leaf.next = table_[slot];
  table_[slot] = static_cast<std::uint32_t>(leaves_.size());
  leaves_.push_back(leaf);
}

std::size_t ExactLeaves::slot_of(std::span<const std::uint16_t> conflicts) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint16_t f : conflicts) hash = (hash ^ f) * 0xff51afd7ed558ccd;
  std::size_t slot = (hash ^ hash >> 29) & (table_.size() - 1);
  while (table_[slot] != none) {
    const Leaf& leaf = leaves_[table_[slot]];
    if (std::ranges::equal(conflicts, std::span(leaf.conflict.data(), leaf.conflicts))) break;
    slot = (slot + 1) & (table_.size() - 1);
  }
  return slot;
}

void ExactLeaves::grow_table() {
  std::vector<std::uint32_t> heads;
  for (const std::uint32_t head : table_)
    if (head != none) heads.push_back(head);
  table_.assign(2 * table_.size(), none);
  for (const std::uint32_t head : heads)
    table_[slot_of({leaves_[head].conflict.data(), leaves_[head].conflicts})] = head;
}

std::uint32_t ExactLeaves::first(std::span<const std::uint16_t> conflicts) const {
  return table_[slot_of(conflicts)];
}

}  // namespace scfe
