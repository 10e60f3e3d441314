// A linear model or ReLU network as a function of the work space, in double precision. Its last layer is
// replaced by the margins of a target class:
//
//     z_1 = W_1 u + b_1,   z_l = W_l max(0, z_{l-1}) + b_l,   margins = W_L max(0, z_{L-1}) + b_L
//     one score: s z, s = +-1;   several: z_y - z_i for every i != y
//
// A pattern tells for every hidden unit whether it is on. Where it holds, the network is linear: the hidden
// units (>= 0 if on, <= 0 if off) and the margins are rows of M u + v.
#pragma once

#include <span>
#include <vector>

#include "actionability/space.h"
#include "scfe/model.h"

namespace scfe {

// True if the model is dense layers with ReLU between them and none after the last.
bool is_relu_network(const Model& model);

struct Pieces {
  std::vector<Layer> layers;

  // Requires is_relu_network(model) and a table without categories.
  Pieces(const Model& model, const Space& space, int target);

  std::size_t inputs() const { return layers.front().weight.cols; }
  std::size_t hidden() const;  // units
  std::size_t margins() const { return layers.back().weight.rows; }
  double smallest_margin(std::span<const double> u) const;

  // The same as a function of the columns `support` of w = u - origin; the other columns of w are 0.
  Pieces restricted(std::span<const double> origin, std::span<const int> support) const;
};

using Pattern = std::vector<char>;  // true for each hidden unit that is on, layer by layer
Pattern pattern_at(const Pieces& pieces, std::span<const double> u);

// The linear functions where the pattern holds: a row for each hidden unit, then for each margin.
struct AffineMap {
  Matrix slope;
  std::vector<double> offset;
};
AffineMap where(const Pieces& pieces, const Pattern& pattern);

}  // namespace scfe
