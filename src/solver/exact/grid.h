// Searches one support for valid points that are cheaper than the incumbent.
//
//     score over the grid = base + sum over open leaves of value · [point in box]
//
// Boxes are added at their corners (difference array) along numbers and bit by bit along levels; prefix sums
// turn corners into scores. A grid with too many points is halved along its longest axis; each half has a
// bound of its own, and the nearer half comes first. Where log q matters, boxes in which it is too small
// (plausibility/reachable.h) are left out: halves, and within a grid those of a few points.
#pragma once

#include <array>
#include <vector>

#include "plausibility/reachable.h"
#include "solver/exact/judge.h"

namespace scfe {

class ExactGrid {
 public:
  ExactGrid(const ExactCells& cells, const ExactAxes& axes, const ExactGoal& goal)
      : cells_(cells), axes_(axes), goal_(goal) {}

  // Bounds of log q for the supports that are searched next; null: none are known.
  void set_reach(ReachableDensity* reach) { reach_ = reach; }
  // `axes`: one of each feature of the support. Returns false if stopped by time or the limit on densities.
  bool search(const ExactLeaves& leaves, std::span<const std::size_t> axes, ExactJudge& judge);

 private:
  static constexpr std::size_t most = ExactLeaves::most_changes;
  using Region = std::array<AxisRange, most>;
  struct Open {
    std::uint32_t tree, number;
    Region range;
  };
  struct Corner {
    std::size_t offset;
    double sign;
  };
  struct Cell {
    double cost;
    std::size_t offset;
  };

  void gather(const ExactLeaves& leaves);
  void gather_leaf(const ExactLeaves& leaves, const ExactLeaves::Leaf& leaf);
  void explore(std::size_t level, Region region, ExactJudge& judge);
  bool trim(Region& region, double limit) const;
  bool worth(std::size_t level, const Region& region);
  void set_sides(const Region& region);
  bool may_be_plausible(const Region& region, const ExactJudge& judge);
  void halve(std::size_t level, const Region& region, ExactJudge& judge);

  // Points of the grid, by their places in candidate_.
  struct Box {
    std::array<std::size_t, most> first{}, last{};
  };

  // scan.cpp
  void fill(std::size_t level, const Region& region);
  void corners_of(const Region& range);
  void sum_up();
  void scan(ExactJudge& judge);
  void find_cheapest(const Box& all, ExactJudge& judge);
  void scan_box(const Box& box, ExactJudge& judge);
  void halve_box(const Box& box, ExactJudge& judge);
  Region region_of(const Box& box) const;
  double most_plausible(const Box& box);
  void scan_axis(const Box& box, std::size_t dim, std::size_t offset, double cost);
  void look_at_found(ExactJudge& judge);
  void visit(std::size_t offset, double cost);
  Choice choice_at(const Cell& cell) const;

  const ExactCells& cells_;
  const ExactAxes& axes_;
  const ExactGoal& goal_;
  std::size_t dims_ = 0;
  std::array<const ExactAxis*, most> axis_{};
  std::array<std::size_t, most> place_{};  // of a dimension's feature in the support
  std::vector<int> dim_of_axis_;
  std::vector<Open> open_;
  std::vector<std::vector<std::uint32_t>> lists_;  // open leaves by level of halving
  std::vector<double> best_;                       // of each tree and rival
  bool stopped_ = false;
  std::size_t explored_ = 0;

  std::array<std::size_t, most> size_{}, stride_{};
  std::array<std::vector<std::size_t>, most> candidate_;  // of each place along a dimension
  std::array<std::vector<double>, most> cost_;
  std::array<std::array<std::uint8_t, 64>, most> rank_{};
  std::size_t cells_in_grid_ = 0;
  std::vector<std::vector<double>> grid_;  // one for each rival
  std::vector<Corner> corners_, next_corners_;
  ReachableDensity* reach_ = nullptr;
  std::vector<ReachableDensity::Side> sides_;             // of a region, for bounds of log q
  std::array<std::vector<std::uint32_t>, most> columns_;  // of the levels along a dimension
  double limit_ = 0;
  bool only_best_ = false;
  std::vector<Cell> found_;
  std::vector<std::size_t> rejected_;
};

}  // namespace scfe
