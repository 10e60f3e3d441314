// Mixture of products of Gaussians and categorical distributions: the density for numbers and categories.
//
//     log q(u)  = log sum_k pi_k prod_j N(u_j; mu_kj, var_kj) prod_groups p_k(level)
//     grad_j    = sum_k r_k (mu_kj - u_j) / var_kj      numeric column; r_k: responsibility of component k
//     grad_c    = sum_k r_k log p_kc                    indicator column
//     kappa_j   = sum_k r_k / var_kj,   kappa_c = 0
//
// log p is extended linearly to sum_c u_c log p_kc, so value and gradient are also defined between levels.
// kappa is a bound by Jensen's inequality on r, as in EM: each component's exponent is exactly quadratic in
// the numbers and linear in the indicators, so it holds for joint moves of both.
//
// Columns are independent within a component; dependence is expressed by several components. The default for
// mixed data. It also works for numbers alone, at the cost of gmm.
//
// Indicators go through the dense kernel. Numbers are subtracted first, so that narrow components do not
// suffer from cancellation. e^x for x <= 0 is the slope of the ELU, which the kernels provide. The gradient
// is computed as sum_k r_k mu_kj / var_kj - u_j sum_k r_k / var_kj, which rounds like u_j itself.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/mixture/products.h"
#include "support/bytes.h"

namespace scfe {

class ProductMixture : public Density {
 public:
  // The mixture is in the density's space; with an empty scale (of numeric columns), the work space.
  explicit ProductMixture(const Products& products, std::span<const double> scale = {},
                          const kernel::Kernels& kernels = kernel::kernels());

  std::size_t features() const override { return features_; }
  std::size_t weights() const override { return log_weights_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;
  std::optional<Separable> separable(std::span<const float> anchor) const override;

  void save(ByteWriter& out) const;
  static ProductMixture load(ByteReader& in);

 private:
  explicit ProductMixture(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  void prepare();
  void evaluate_numbers(const Block& x, float* value, Block* gradient, Block* weights, float* scratch) const;
  // The steps for rows with categories: e_k of each lane; e_k replaced by r_k, with the value; the gradient.
  void exponents(const Block& x, float* e) const;
  void normalise(float* e, float* value, std::size_t lanes, float* spare) const;
  void fill_gradient(const Block& x, const float* r, Block& gradient, float* spare) const;

  std::size_t features_ = 0;
  std::vector<int> numeric_;                     // the numeric columns
  std::vector<float> means_, inverse_stds_;      // component x numeric column
  std::vector<float> log_weights_, log_levels_;  // component; component x column, empty without categories
  std::vector<double> precisions_;               // component x column, 0 for indicators
  // Derived from those, with components side by side, for rows with categories.
  std::vector<float> numeric_means_, half_precisions_, numeric_precisions_;  // numeric column x component
  std::vector<float> slopes_;  // column x component: precision times mean, or log p
  const kernel::Kernels* kernels_;
};

struct ProductsFit {
  Products products;  // in the density's space
  std::vector<double> held_out;
};
// Chooses the number of components (product_mixture_fit.cpp).
ProductsFit fit_products(const MixedRows& rows, const DensityOptions& options);
ProductsFit fit_products(const Matrix& rows, const DensityOptions& options);

FittedDensity fit_product_mixture(const Matrix& rows, const DensityOptions& options);
FittedDensity fit_product_mixture_levels(const MixedRows& rows, const DensityOptions& options);

}  // namespace scfe
