// Mixture of Gaussians with diagonal covariances.
//
//     log q(x)  = log sum_k pi_k prod_j N(x_j; mu_kj, var_kj),    r_k: responsibility of component k at x
//     grad_j    = sum_k r_k (mu_kj - x_j) / var_kj
//     kappa_j   = sum_k r_k / var_kj                  (lower bound by Jensen's inequality on r, as in EM)
//
// An evaluation costs K·d for any number of rows: the choice for large classes and images. gmm_full also
// models correlations within a component.
#pragma once

#include <algorithm>

#include "plausibility/fit.h"
#include "plausibility/mixture/gaussian.h"
#include "support/bytes.h"

namespace scfe {

class Gmm : public Density {
 public:
  // The mixture is in the density's space. An empty scale means that this is the work space.
  explicit Gmm(const GaussianMixture& mixture, std::span<const double> scale = {},
               const kernel::Kernels& kernels = kernel::kernels());

  std::size_t features() const override { return features_; }
  std::size_t weights() const override { return log_weights_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override {
    return std::min(padded(max_lanes), kernel::mixture_lanes) * log_weights_.size();
  }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;
  std::optional<Separable> separable(std::span<const float> anchor) const override;

  void save(ByteWriter& out) const;
  static Gmm load(ByteReader& in);

 private:
  explicit Gmm(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  std::size_t features_ = 0;
  std::vector<float> means_, inverse_stds_, log_weights_;
  std::vector<double> precisions_;  // component x feature
  const kernel::Kernels* kernels_;
};

FittedDensity fit_gmm(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
