// A small grid: computes the scores of all its points and visits those that are valid and cheap enough.
#include <algorithm>
#include <bit>

#include "solver/exact/grid.h"

namespace scfe {

void ExactGrid::fill(std::size_t level, const Region& region) {
  std::size_t total = 1;
  for (std::size_t d = dims_; d-- > 0;) {
    const ExactAxis& axis = *axis_[d];
    candidate_[d].clear();
    cost_[d].clear();
    if (axis.levels) {
      for (std::uint64_t bits = region[d].bits; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
        rank_[d][bit] = static_cast<std::uint8_t>(candidate_[d].size());
        candidate_[d].push_back(bit);
      }
    } else {
      for (std::size_t i = region[d].first(); i < region[d].last(); ++i) candidate_[d].push_back(i);
    }
    for (const std::size_t i : candidate_[d]) cost_[d].push_back(axis.cost[i]);
    stride_[d] = total;
    size_[d] =
        candidate_[d].size() + (axis.levels ? 0 : 1);  // the end of a box is one beyond its last candidate
    total *= size_[d];
  }
  cells_in_grid_ = total;
  grid_.resize(goal_.rivals());
  for (std::size_t r = 0; r < goal_.rivals(); ++r) grid_[r].assign(total, 0.0);
  for (const std::uint32_t i : lists_[level]) {
    Region range;
    for (std::size_t d = 0; d < dims_; ++d) range[d] = axis_[d]->common(open_[i].range[d], region[d]);
    for (std::size_t d = 0; d < dims_; ++d)
      if (!axis_[d]->levels)
        range[d] =
            AxisRange::between(range[d].first() - region[d].first(), range[d].last() - region[d].first());
    corners_of(range);
    const std::span<const double> value = goal_.leaf_value(open_[i].number);
    for (std::size_t r = 0; r < goal_.rivals(); ++r)
      for (const Corner& corner : corners_) grid_[r][corner.offset] += corner.sign * value[r];
  }
  sum_up();
}

void ExactGrid::corners_of(const Region& range) {
  corners_.assign(1, {0, 1});
  for (std::size_t d = 0; d < dims_; ++d) {
    next_corners_.clear();
    for (const Corner& corner : corners_) {
      if (axis_[d]->levels) {
        for (std::uint64_t bits = range[d].bits; bits != 0; bits &= bits - 1)
          next_corners_.push_back(
              {corner.offset + rank_[d][static_cast<std::size_t>(std::countr_zero(bits))] * stride_[d],
               corner.sign});
      } else {
        next_corners_.push_back({corner.offset + range[d].first() * stride_[d], corner.sign});
        next_corners_.push_back({corner.offset + range[d].last() * stride_[d], -corner.sign});
      }
    }
    corners_.swap(next_corners_);
  }
}

void ExactGrid::sum_up() {
  for (std::vector<double>& grid : grid_)
    for (std::size_t d = 0; d < dims_; ++d) {
      if (axis_[d]->levels) continue;
      const std::size_t stride = stride_[d], block = stride * size_[d];
      for (std::size_t b = 0; b < cells_in_grid_; b += block)
        for (std::size_t i = stride; i < block; ++i) grid[b + i] += grid[b + i - stride];
    }
}

void ExactGrid::scan(ExactJudge& judge) {
  Box all;
  for (std::size_t d = 0; d < dims_; ++d) all.last[d] = candidate_[d].size();
  rejected_.clear();
  found_.clear();
  limit_ = judge.limit();
  only_best_ = judge.plain();
  if (only_best_) return find_cheapest(all, judge);
  scan_box(all, judge);
  look_at_found(judge);
}

// Without a floor only the cheapest valid point is needed, or the next one if rounding makes that one
// invalid.
void ExactGrid::find_cheapest(const Box& all, ExactJudge& judge) {
  for (;;) {
    scan_axis(all, 0, 0, 0);
    if (found_.empty()) return;
    const Choice choice = choice_at(found_.back());
    if (judge.look({&choice, 1})) return;
    rejected_.push_back(found_.back().offset);
    found_.clear();
    limit_ = judge.limit();
  }
}

// Finds the valid points of a box. Where the most plausible one is asked for, they are looked at before the
// next box, so that fewer of the others matter.
void ExactGrid::scan_box(const Box& box, ExactJudge& judge) {
  constexpr std::size_t few = ExactJudge::batch;
  if (stopped_ || !may_be_plausible(region_of(box), judge)) return;
  std::size_t points = 1;
  for (std::size_t d = 0; d < dims_; ++d) points *= box.last[d] - box.first[d];
  if (reach_ != nullptr && points > few) return halve_box(box, judge);
  scan_axis(box, 0, 0, 0);
  if (judge.mode() == ExactJudge::Mode::most_plausible) look_at_found(judge);
}

void ExactGrid::halve_box(const Box& box, ExactJudge& judge) {
  std::size_t longest = 0;
  for (std::size_t d = 1; d < dims_; ++d)
    if (box.last[d] - box.first[d] > box.last[longest] - box.first[longest]) longest = d;
  Box low = box, high = box;
  low.last[longest] = high.first[longest] = (box.first[longest] + box.last[longest]) / 2;
  if (judge.mode() == ExactJudge::Mode::most_plausible && most_plausible(low) < most_plausible(high))
    std::swap(low, high);
  scan_box(low, judge);
  scan_box(high, judge);
}

ExactGrid::Region ExactGrid::region_of(const Box& box) const {
  Region region;
  for (std::size_t d = 0; d < dims_; ++d) {
    if (!axis_[d]->levels) {
      region[d] = AxisRange::between(candidate_[d][box.first[d]], candidate_[d][box.last[d] - 1] + 1);
      continue;
    }
    region[d] = {};
    for (std::size_t i = box.first[d]; i < box.last[d]; ++i)
      region[d].bits |= std::uint64_t{1} << candidate_[d][i];
  }
  return region;
}

double ExactGrid::most_plausible(const Box& box) {
  set_sides(region_of(box));
  return reach_->most(sides_);
}

// The cheapest first.
void ExactGrid::look_at_found(ExactJudge& judge) {
  std::ranges::sort(found_, [](const Cell& a, const Cell& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.offset < b.offset;
  });
  std::array<Choice, ExactJudge::batch> choices;
  for (std::size_t i = 0; i < found_.size() && found_[i].cost < judge.limit();) {
    if (judge.exhausted() || judge.out_of_time()) {
      stopped_ = true;
      break;
    }
    std::size_t count = 0;
    while (count < choices.size() && i < found_.size()) choices[count++] = choice_at(found_[i++]);
    if (judge.look({choices.data(), count})) break;
  }
  found_.clear();
}

void ExactGrid::scan_axis(const Box& box, std::size_t dim, std::size_t offset, double cost) {
  const bool last = dim + 1 == dims_;
  for (std::size_t i = box.first[dim]; i < box.last[dim]; ++i) {
    const double total = cost + cost_[dim][i];
    if (total >= limit_) continue;
    const std::size_t at = offset + i * stride_[dim];
    if (last)
      visit(at, total);
    else
      scan_axis(box, dim + 1, at, total);
  }
}

void ExactGrid::visit(std::size_t offset, double cost) {
  std::array<double, 64> few;
  std::vector<double> many(grid_.size() > few.size() ? grid_.size() : 0);
  double* sums = many.empty() ? few.data() : many.data();
  for (std::size_t r = 0; r < grid_.size(); ++r) {
    sums[r] = goal_.base()[r] + grid_[r][offset];
    if (sums[r] < goal_.needed()) return;
  }
  if (!goal_.granted({sums, grid_.size()})) return;
  if (only_best_) {
    if (std::ranges::find(rejected_, offset) != rejected_.end()) return;
    limit_ = cost;
    found_.clear();
  }
  found_.push_back({cost, offset});
}

Choice ExactGrid::choice_at(const Cell& cell) const {
  Choice choice;
  choice.cost = cell.cost;
  std::size_t rest = cell.offset;
  for (std::size_t d = 0; d < dims_; ++d) {
    const std::size_t i = rest / stride_[d];
    rest %= stride_[d];
    choice.value[place_[d]] = axis_[d]->value[candidate_[d][i]];
  }
  return choice;
}

}  // namespace scfe
