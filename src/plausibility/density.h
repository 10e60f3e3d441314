// Plausibility: log q(x | y) of one class in the work space, up to a constant that does not matter
// because the floor is a quantile of the same function over held-out rows.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "plausibility/separable.h"
#include "scfe/block.h"

namespace scfe {

class Density {
 public:
  virtual ~Density() = default;
  virtual std::size_t features() const = 0;
  // How many numbers per lane the curvature bound needs (mixture responsibilities; 0 if it is constant).
  virtual std::size_t weights() const { return 0; }
  // Floats of scratch that evaluate() needs for a block of that many lanes.
  virtual std::size_t scratch(std::size_t max_lanes) const = 0;

  // What depends on the factual alone (the gravity point of kNN); anchor has features() entries.
  virtual void anchor(std::span<const float> /*factual*/, std::span<float> anchor) const {
    std::ranges::fill(anchor, 0.0F);
  }

  // value[lane] = log q; gradient and weights are filled where not null. anchors holds each lane's anchor.
  virtual void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                        float* scratch) const = 0;

  // One nat in the units of value. Densities that are likelihoods are in nats. Others know the scale at which
  // their value would be the logarithm of one, given its mean over held-out rows of the class.
  virtual double nat(double /*mean_held_out*/) const { return 1; }

  // kappa over the support such that, moving only features of the support,
  //     log q(x + s) >= log q(x) + g·s - 1/2 sum_j kappa_j s_j²        (a true lower bound).
  // Where the density knows no such bound, kappa is an estimate, and the solver corrects it (search/polish).
  virtual void curvature(std::span<const float> weights, std::span<const int> support,
                         std::span<double> kappa) const = 0;
  virtual bool has_curvature_bound() const { return true; }

  // log q of rows with this anchor as a sum of products over the columns, up to the rounding of evaluate();
  // empty: it is none, and no upper bounds over sets of rows are known.
  virtual std::optional<Separable> separable(std::span<const float> /*anchor*/) const { return {}; }
};

}  // namespace scfe
