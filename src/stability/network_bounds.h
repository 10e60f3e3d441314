// Bounds of a dense network over a box of inputs.
//
//     z_1 = W_1 x + b_1,  a_l = f_l(z_l),  z_{l+1} = W_{l+1} a_l + b_{l+1}          lo <= x <= hi
//
// A lower bound of c·z_l: c is propagated back layer by layer. On the way every activation is replaced by a
// line below it if its weight is positive, and by a line above it if negative (CROWN, Zhang et al. 2018):
//
//     ReLU on [lo, hi] around 0     below: 0 or z, whichever loses less;    above: hi (z - lo) / (hi - lo)
//     any other monotone one        below: f(lo);    above: f(hi)
//
// Plain interval arithmetic would lose how the layers depend on each other.
#pragma once

#include <span>
#include <vector>

#include "scfe/model.h"

namespace scfe {

struct InputBox {
  std::vector<double> lo, hi;
};

class NetworkBounds {
 public:
  // Every activation must be monotone, and the last layer must have none.
  NetworkBounds(std::span<const Layer> layers, InputBox box);

  // A lower bound of weights·scores over the box.
  double least(std::vector<double> weights) const { return least_of(layers_.size() - 1, std::move(weights)); }
  // The largest error of weights·scores computed in single precision, anywhere in the box.
  double rounding(std::span<const double> weights) const;

 private:
  struct Line {
    double slope, shift;
  };
  struct Unit {
    Line below, above;
  };
  double least_of(std::size_t layer, std::vector<double> weights) const;
  void relax(std::size_t layer, double lo, double hi);

  std::span<const Layer> layers_;
  InputBox box_;
  std::vector<std::vector<Unit>> units_;   // of each layer's activation
  std::vector<std::vector<double>> size_;  // largest absolute value of each unit
};

// True if an activation of the catalogue never decreases.
bool is_monotone(const std::string& activation);

}  // namespace scfe
