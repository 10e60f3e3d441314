// Linear bounds of every unit of a ReLU network over a box, by substitution back to the inputs (CROWN, Zhang
// et al. 2018; DeepPoly, Singh et al. 2019), with some units known to be on or off:
//
//     on or z >= 0:  max(0, z) = z        off or z <= 0:  max(0, z) = 0
//     lo < 0 < hi:   k z <= max(0, z) <= hi (z - lo) / (hi - lo),   k = 1 if hi > -lo, else 0
//
// For each unit and margin: z <= upper·w + upper_offset and z >= lower·w + lower_offset, for all w of the box
// at which the fixed units are on or off as given. If no unit is open, the bounds equal the function.
#pragma once

#include <span>
#include <vector>

#include "method/pieces.h"

namespace scfe {

enum class Unit : char { open, on, off };

class Bounds {
 public:
  explicit Bounds(const Pieces& pieces);

  // Returns false if no w of the box gives the fixed units their states. Open units whose state is the same
  // all over the box become on or off.
  bool compute(std::span<const double> lo, std::span<const double> hi, std::vector<Unit>& units);

  // A linear function of w: its slopes, then its offset.
  std::span<const double> upper(std::size_t row) const { return {upper_.data() + row * width_, width_}; }
  std::span<const double> lower(std::size_t row) const { return {lower_.data() + row * width_, width_}; }
  std::size_t hidden() const { return hidden_; }
  // The open unit whose relaxation adds most to the margins' upper bounds; hidden() if none is open.
  std::size_t widest_open(const std::vector<Unit>& units) const;

 private:
  struct Line {
    double slope, offset;
  };
  void substitute(std::size_t layer, std::size_t row, bool upwards, std::span<double> line);
  double extreme(std::span<const double> line, bool upwards) const;

  const Pieces& pieces_;
  std::size_t hidden_, width_;
  std::span<const double> lo_, hi_;
  std::vector<std::size_t> first_;  // row of each layer's first unit
  std::vector<double> upper_, lower_, weight_, next_;
  std::vector<Line> above_, below_;  // of each hidden unit's activation
  std::vector<double> width_of_, share_;
};

}  // namespace scfe
