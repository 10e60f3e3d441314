// The equation:
//
// clang-format off
//   min over x in A :  |x - x_f|²  +  gamma · loss(f(x), y)  −  tau · log q(x | y)  +  sparsity(x − x_f)
//                      proximity      validity                  plausibility           sparsity      A: actionability
//                      '---------------- Smooth: value + gradient ---------------'  '----- Prox: value + prox -----'
// clang-format on
//
// This file only sums the smooth terms, for a block of lanes w = x - x_f in the work space. The loss takes
// the smallest margin minus the required one, so for kappa = 0 it is 0 exactly where x is valid.
#pragma once

#include <span>
#include <vector>

#include "kernel/kernels.h"
#include "objective/evaluate.h"
#include "objective/smooth.h"
#include "proximity/squared_l2.h"
#include "validity/loss.h"

namespace scfe {

struct Weights {
  SquaredL2 proximity;
  const LossRow* loss = &find_loss(LossKind::hinge);
  double kappa = 0;            // margin that the loss asks for beyond the required one
  double tau = 0;              // 0: the density is not part of the value
  bool watch_density = false;  // with tau = 0: evaluate the density anyway, for a floor
};

// One per thread, like the Terms it uses.
class Objective final : public Smooth {
 public:
  Objective(Terms& terms, const Weights& weights);

  // The factual (work space) of each lane. Without an anchor, the density computes it.
  void set_lanes(std::size_t lanes);
  void set_factual(std::size_t lane, std::span<const float> factual, std::span<const float> anchor);
  void set_factual(std::size_t lane, std::span<const float> factual);
  // Moves the point at which w = 0 away from the factual; the anchor stays.
  void set_origin(std::size_t lane, std::span<const double> origin);
  // The least margin of a lane, and a linear cost per unit of each column in addition to the proximity.
  void set_required(std::size_t lane, double margin) { required_[lane] = static_cast<float>(margin); }
  void set_prices(std::size_t lane, std::span<const double> price);

  std::size_t features() const override { return factual_.features(); }
  void evaluate(const Block& w, float* value, Block* gradient) override;
  const float* margin() const override { return margin_.data(); }
  const float* log_density() const override { return log_density_.data(); }
  const float* cost() const override { return cost_.data(); }
  std::span<float> gamma() override { return {gamma_.data(), factual_.lanes()}; }

  const Block& factual() const { return factual_; }

 private:
  void add_plausibility();
  void add_validity(float* value);
  void differentiate(const Block& w, Block& gradient);
  void add_prices(const Block& w, float* value, Block* gradient);

  Terms& terms_;
  Weights weights_;
  const kernel::Kernels& kernels_ = kernel::kernels();
  Block factual_, anchors_, u_;
  Block price_;  // empty: none
  std::vector<float> gamma_, margin_, required_, log_density_, cost_, pull_, loss_, anchor_;
};

}  // namespace scfe
