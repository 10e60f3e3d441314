// Linear bounds of every unit of a dense network over a box of inputs, by substitution back to the inputs
// (CROWN, Zhang et al. 2018; DeepPoly, Singh et al. 2019).
//
//     z_1 = W_1 x + b_1,  a_l = f_l(z_l),  z_{l+1} = W_{l+1} a_l + b_{l+1}          lo <= x <= hi
//
// Every activation on the way back is replaced by the line below it where its weight is positive, by the line
// above it where it is negative (the other way round for upper bounds), so that what two layers do to each
// other is not lost, as it is with plain intervals:
//
//     ReLU known to be on, or z >= 0      z           ReLU known to be off, or z <= 0      0
//     ReLU on [lo, hi] around 0      below: 0 or z, whichever loses less;  above: hi (z - lo) / (hi - lo)
//     any other that never falls     below: f(lo);  above: f(hi)
//
// Where every activation is one line the bounds are the function.
#pragma once

#include <span>
#include <vector>

#include "model/network/activation.h"
#include "scfe/model.h"

namespace scfe {

struct InputBox {
  std::vector<double> lo, hi;
};

enum class Unit : char { open, on, off };  // of a ReLU

// Whether an activation of the catalogue never falls.
bool is_monotone(const std::string& activation);

class NetworkBounds {
 public:
  // Every activation has to be monotone, and the last layer without one.
  explicit NetworkBounds(std::span<const Layer> layers);
  NetworkBounds(std::span<const Layer> layers, const InputBox& box);  // computed, no unit known

  // The bounds over a box, which has to outlive their use. False if a unit cannot be what it is known to be:
  // no x of the box is left. Known units stay as they are; open ones that the box decides become on or off.
  bool compute(std::span<const double> lo, std::span<const double> hi, std::vector<Unit>& units);

  // Linear functions of x, slope then offset, above and below z of a unit: the hidden ones layer by layer,
  // then the scores.
  std::span<const double> upper(std::size_t row) const { return {upper_.data() + row * width_, width_}; }
  std::span<const double> lower(std::size_t row) const { return {lower_.data() + row * width_, width_}; }
  std::size_t hidden() const { return range_.size(); }
  // The open unit whose relaxation adds most to the scores' upper bounds; hidden() if none is open.
  std::size_t widest_open(const std::vector<Unit>& units) const;

  // A lower bound of weights·scores over the box.
  double least(std::span<const double> weights);
  // How far weights·scores in single precision may lie from the true one, anywhere in the box.
  double rounding(std::span<const double> weights) const;

 private:
  struct Line {
    double slope, offset;
  };
  struct Range {
    double lo, hi;
  };
  void substitute(std::size_t layer, double offset, bool upwards, std::span<double> line);
  double extreme(std::span<const double> line, bool upwards) const;
  bool relax(const Activation& activation, std::size_t row, Unit& unit);

  std::span<const Layer> layers_;
  std::size_t width_;
  std::span<const double> lo_, hi_;
  std::vector<Activation> activation_;  // of each layer
  std::vector<std::size_t> first_;      // row of each layer's first unit
  std::vector<double> upper_, lower_, weight_, next_;
  std::vector<Range> range_;         // of each hidden unit's z
  std::vector<Line> above_, below_;  // of its activation
  std::vector<double> share_;        // what its relaxation adds to the scores' upper bounds
};

}  // namespace scfe
