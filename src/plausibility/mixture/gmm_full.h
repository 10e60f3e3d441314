// Mixture of Gaussians with full covariances.
//
//     e_k       = log w_k - 1/2 |y_k|²,   y_k = A_k (x - mu_k),   A_k = inverse Cholesky factor
//     log q(x)  = log sum_k exp(e_k),     grad = -sum_k r_k A_k' y_k
//     kappa_j   = sum_k r_k sum_{i in S} |P_k,ij|,   P_k = A_k' A_k
//
// kappa is a bound by Jensen's inequality on r as for the diagonal form, and by s'Ps <= sum_j s_j² sum_{i in
// S} |P_ij| for moves s on the support S (diagonal dominance). Models correlations; an evaluation costs K·d²,
// and the fit needs hundreds of rows.
//
// Both products use the dense kernel with all components stacked, relative to the mixture's mean: this avoids
// cancellation far from the origin.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/mixture/gaussian.h"
#include "support/bytes.h"

namespace scfe {

class GmmFull : public Density {
 public:
  // The mixture is in the density's space. An empty scale means that this is the work space.
  explicit GmmFull(const GaussianMixture& mixture, std::span<const double> scale = {},
                   const kernel::Kernels& kernels = kernel::kernels());

  std::size_t features() const override { return features_; }
  std::size_t weights() const override { return log_weights_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

  void save(ByteWriter& out) const;
  static GmmFull load(ByteReader& in);

 private:
  // Stores component k with whitening factor a. unit: density space coordinate per work space coordinate.
  void place(std::size_t k, std::span<const double> a, std::span<const double> mean,
             std::span<const double> unit);
  void exponents(const float* y, std::size_t lanes, float* e) const;
  // Replaces e_k by r_k and writes log q to value.
  void normalise(float* e, float* value, std::size_t lanes) const;

  explicit GmmFull(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  std::size_t features_ = 0;
  std::vector<float> centre_;                     // the mixture's mean
  std::vector<float> forward_, bias_, backward_;  // (component, feature) x feature, and its transpose
  std::vector<float> zeros_;
  std::vector<float> log_weights_;
  std::vector<double> precisions_;  // |P_k,ij|: component x feature x feature
  const kernel::Kernels* kernels_;
};

FittedDensity fit_gmm_full(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
