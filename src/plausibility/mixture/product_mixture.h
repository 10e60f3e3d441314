// Mixture of products, diagonal Gaussian x categorical: the density for rows of numbers and categories.
//
//     log q(u)  = log sum_k pi_k prod_j N(u_j; mu_kj, var_kj) prod_groups p_k(level on),   r_k:
//     responsibilities grad_j    = sum_k r_k (mu_kj - u_j) / var_kj          numeric column grad_c    = sum_k
//     r_k log p_kc                        indicator column kappa_j   = sum_k r_k / var_kj,   kappa_c = 0
//
// With log p linear in the indicators (sum_c u_c log p_kc) value and gradient are defined between the levels
// too. The bound is the EM inequality: Jensen on r, under which each component's exponent is exactly
// quadratic in the numbers and linear in the indicators; it holds for moves of both together.
//
// Dependence between columns, of whatever kind, is in the components: each is a kind of row. The default for
// mixed data; also fine for numbers alone, where it costs what gmm costs.
//
// The indicators go through the dense kernel, numbers are differences (no cancellation however narrow a
// component), and e^x for x <= 0 is the slope of the ELU, which the kernels have. The gradient is taken as
// sum_k r_k mu_kj / var_kj - u_j sum_k r_k / var_kj: its rounding is that of u_j itself.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/mixture/products.h"
#include "support/bytes.h"

namespace scfe {

class ProductMixture : public Density {
 public:
  // The mixture in the density's space; scale (numeric columns) empty: that is the work space.
  explicit ProductMixture(const Products& products, std::span<const double> scale = {},
                          const kernel::Kernels& kernels = kernel::kernels());

  std::size_t features() const override { return features_; }
  std::size_t weights() const override { return log_weights_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override;
  void anchor(std::span<const float> factual, std::span<float> anchor) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

  void save(ByteWriter& out) const;
  static ProductMixture load(ByteReader& in);

 private:
  explicit ProductMixture(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  void prepare();
  void evaluate_numbers(const Block& x, float* value, Block* gradient, Block* weights, float* scratch) const;
  // For rows with categories: e_k of each lane; then e_k -> r_k and the value; then the gradient.
  void exponents(const Block& x, float* e) const;
  void normalise(float* e, float* value, std::size_t lanes, float* spare) const;
  void fill_gradient(const Block& x, const float* r, Block& gradient, float* spare) const;

  std::size_t features_ = 0;
  std::vector<int> numeric_;                     // their columns
  std::vector<float> means_, inverse_stds_;      // component x numeric column
  std::vector<float> log_weights_, log_levels_;  // component x column; no levels: empty
  std::vector<double> precisions_;               // component x column, 0 for indicators
  // Made of those, components side by side, for rows with categories.
  std::vector<float> numeric_means_, half_precisions_, numeric_precisions_;  // numeric column x component
  std::vector<float> slopes_;  // column x component: precision times mean, or log p
  const kernel::Kernels* kernels_;
};

FittedDensity fit_product_mixture(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
