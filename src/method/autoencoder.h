// A row is plausible if an autoencoder reproduces it (Dhurandhar et al. 2018):
//
//     log q(x) = -|r|²,   r_j = (x_j - AE_j(x)) / range_j        in units of the work space
//     gradient = -2 r_i + 2 range_i sum_j (r_j / range_j) dAE_j / dx_i
//
// For numbers only. There is no bound on the curvature, which solver/search would need; CEM does not.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "actionability/space.h"
#include "plausibility/density.h"
#include "scfe/model.h"

namespace scfe {

class Autoencoder final : public Density {
 public:
  Autoencoder(const Model& model, const Space& space) : model_(model), space_(space) {}

  std::size_t features() const override { return space_.columns(); }
  std::size_t scratch(std::size_t /*max_lanes*/) const override { return 0; }
  void anchor(std::span<const float> factual, std::span<float> anchor) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

 private:
  // The buffers of one thread. They are reused, so that after the first calls nothing is allocated.
  struct Buffers {
    std::unique_ptr<Model::Tape> tape;
    Block x, output, seed, gradient;
  };
  std::unique_ptr<Buffers> take(std::size_t lanes) const;

  const Model& model_;
  const Space& space_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Buffers>> free_;
};

}  // namespace scfe
