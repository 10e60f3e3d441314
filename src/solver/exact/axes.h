// The values that each feature of one row may take (candidates), with their costs. x_f itself is not one of
// them, so the grid of a support holds the points that change all of its features.
//
// Levels are bits of one word; a category of more than 64 levels has an axis for each 64.
#pragma once

#include <cstdint>
#include <vector>

#include "query/row.h"
#include "solver/exact/cells.h"

namespace scfe {

// Candidates first .. last - 1 of a number, or the set bits of a word.
struct AxisRange {
  std::uint64_t bits = 0;

  static AxisRange between(std::size_t first, std::size_t last) {
    return {static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(last)};
  }
  std::size_t first() const { return bits >> 32; }
  std::size_t last() const { return bits & 0xffffffff; }
};

struct ExactAxis {
  std::size_t feature = 0;
  bool levels = false;
  std::vector<double> value, cost;   // numbers in ascending order; levels by place
  std::vector<std::uint32_t> first;  // of a number's cells: the first candidate in it; and the end
  std::uint32_t own = 0;             // of a number: the first candidate above x_f
  std::uint64_t word = 0;            // of levels: which may be taken, by place
  std::size_t word_index = 0;
  // Of each candidate, for bounds of the density: a number in the work space, or the column of a level.
  std::vector<float> in_work;
  std::vector<std::uint32_t> column;

  AxisRange all() const;
  AxisRange common(AxisRange a, AxisRange b) const;
  bool empty(AxisRange range) const { return levels ? range.bits == 0 : range.first() >= range.last(); }
  std::size_t count(AxisRange range) const;
  double least(AxisRange range) const;
  // The part that costs less than `limit`.
  AxisRange cheaper(AxisRange range, double limit) const;
  // Bits by place -> bits by candidate.
  std::uint64_t by_candidate(std::uint64_t places) const;
};

class ExactAxes {
 public:
  ExactAxes(const ExactCells& cells, const Space& space, const Writing& writing)
      : cells_(cells), space_(space), writing_(writing) {}

  // `further` values for each number besides the nearest of each cell.
  void set(const Row& row, std::size_t further);

  std::size_t size() const { return axes_.size(); }
  const ExactAxis& operator[](std::size_t axis) const { return axes_[axis]; }
  // The axes of a feature: first_axis(f) .. first_axis(f + 1); none if it may not change.
  std::size_t first_axis(std::size_t feature) const { return first_axis_[feature]; }
  bool active(std::size_t feature) const { return first_axis_[feature] < first_axis_[feature + 1]; }
  std::size_t own_cell(std::size_t feature) const { return own_cell_[feature]; }
  bool missing(std::size_t feature) const { return missing_[feature] != 0; }

 private:
  void add_number(const Row& row, std::size_t feature, std::size_t further);
  void add_levels(const Row& row, std::size_t feature);

  const ExactCells& cells_;
  const Space& space_;
  const Writing& writing_;
  std::vector<ExactAxis> axes_;
  std::vector<std::size_t> first_axis_, own_cell_;
  std::vector<char> missing_;
  std::vector<double> values_;
};

}  // namespace scfe
