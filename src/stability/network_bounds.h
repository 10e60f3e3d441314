// Bounds of a dense network over a box of inputs.
//
//     z_1 = W_1 x + b_1,  a_l = f_l(z_l),  z_{l+1} = W_{l+1} a_l + b_{l+1}          lo <= x <= hi
//
// The least of c·z_l: c is carried back layer by layer, and every activation on the way is replaced by the
// line below it where its weight is positive, by the line above it where it is negative (CROWN, Zhang et al.
// 2018):
//
//     ReLU on [lo, hi] around 0     below: 0 or z, whichever loses less;    above: hi (z - lo) / (hi - lo)
//     any other that never falls    below: f(lo);    above: f(hi)
//
// so that what two layers do to each other is not lost, as it is with plain intervals.
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
  // Every activation but the last layer's (which has none) has to be one that never falls.
  NetworkBounds(std::span<const Layer> layers, InputBox box);

  // A lower bound of weights·scores over the box.
  double least(std::vector<double> weights) const { return least_of(layers_.size() - 1, std::move(weights)); }
  // How far weights·scores in single precision may lie from the true one, anywhere in the box.
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
  std::vector<std::vector<double>> size_;  // the largest that it may get
};

// Whether an activation of the catalogue never falls.
bool is_monotone(const std::string& activation);

}  // namespace scfe
