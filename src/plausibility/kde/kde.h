// Kernel density estimate with a Gaussian kernel.
//
//     log q(x)      = log sum_i exp(-1/2 sum_j ((x_j - x_ij) / h_j)²) - log_norm
//     grad_j        = (m_j(x) - x_j) / h_j²,   m(x) = sum_i w_i x_i / sum_i w_i      mean-shift target
//     kappa_j       = 1 / h_j²                          (lower bound by Jensen's inequality on the weights)
//     log_norm      = log n + d log h + d/2 log 2 pi    (paper mode: log n + log h + 1/2 log 2 pi)
//
// Categories use the Aitchison-Aitken kernel, which on one-hot columns has the same form with 1/h_j = s
// (plausibility/mixture/smoothing.h). log_norm then counts numeric columns plus the categories' normaliser.
//
// The smoothest density, with the fewest parameters. An evaluation costs n·d; above 8192 rows a tree
// approximates the sum (plausibility/kde/tree_kde.h). Parzen (1962); S-CFE, appendix on density estimates.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "plausibility/fit.h"
#include "support/bytes.h"

namespace scfe {

class Kde : public Density {
 public:
  // Points and 1/h_j in the work space.
  Kde(const Matrix& points, std::span<const double> inverse_bandwidth, double log_norm,
      const kernel::Kernels& kernels = kernel::kernels());

  std::size_t features() const override { return inverse_bandwidth_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override {
    return std::min(padded(max_lanes), kernel::mixture_lanes) * log_weights_.size();
  }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;
  std::optional<Separable> separable(std::span<const float> anchor) const override;

  void save(ByteWriter& out) const;
  // Reads the members that save() writes after the points.
  static Kde load(std::vector<float> points, ByteReader& in);

 private:
  explicit Kde(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  // Computes slopes_, offsets_ and middle_ for the kernel.
  void prepare();

  std::vector<float> points_, inverse_bandwidth_, log_weights_;
  std::vector<float> slopes_, offsets_, middle_;  // expanded square; empty for small h
  std::vector<double> kappa_;
  const kernel::Kernels* kernels_;
};

FittedDensity fit_kde(const Matrix& rows, const DensityOptions& options);
FittedDensity fit_kde_levels(const MixedRows& rows, const DensityOptions& options);
// These two also handle the forms for many rows (plausibility/kde/tree_kde.h) and many levels (coded_kde.h).
void save_kde(const Density& density, ByteWriter& out);
std::shared_ptr<const Density> load_kde(ByteReader& in);

}  // namespace scfe
