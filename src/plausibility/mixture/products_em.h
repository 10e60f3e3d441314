// Fits a mixture of products by expectation maximisation.
//
//     E:  r_ik = exp(e_k(x_i)) / sum_k exp(e_k(x_i))
//     M:  n_k = sum_i r_ik,  pi_k = n_k / n,  mu_kj and var_kj = weighted mean and variance (above its floor)
//         p_kc = (n_kc + a p_c) / (n_k + a),   p_c = (n_c + 1) / (n + levels of the category)
//
// A component's level probabilities are shrunk towards the overall ones with the weight of a = 5 rows, and
// the overall ones by Laplace smoothing. So no level is impossible, and small components stay close to the
// average. The starts use k-means++ seeding; the best third of the short runs continues to the end.
#pragma once

#include <cstdint>
#include <vector>

#include "plausibility/mixture/products.h"

namespace scfe {

struct ProductsEmOptions {
  Columns columns;
  std::vector<double> least_variance;  // of each numeric column
  std::size_t starts = 6;
  std::uint64_t seed = 0;
};

// Stores the parameters of all components side by side, which suits sums over rows.
class ProductsEm {
 public:
  ProductsEm(std::size_t components, const ProductsEmOptions& options);

  // The best of several starts.
  static ProductsEm fit(const MixedRows& rows, std::size_t components, const ProductsEmOptions& options);
  // Continues EM for at most `rounds` rounds; stops early once the likelihood hardly grows.
  void run(const MixedRows& rows, int rounds);

  double log_density(const MixedRows& rows, std::size_t row);
  double log_likelihood() const { return log_likelihood_; }  // summed over the rows of the last run
  Products products() const;

 private:
  void start(const MixedRows& rows, class Random& random);
  void clear();
  void add(const MixedRows& rows, std::size_t row);  // adds a row to the statistics
  double expect(const MixedRows& rows);
  void maximise();
  void maximise_levels(const std::vector<int>& group);
  void prepare();

  const ProductsEmOptions* options_;
  std::size_t components_, columns_ = 0;
  std::vector<double> weights_, means_, variances_, levels_;  // [component], [column][component]
  std::vector<double> log_weights_, half_precisions_, log_levels_;
  std::vector<double> count_, sum_, square_, level_count_;  // the statistics of a round
  std::vector<double> shares_;
  double rows_ = 0, log_likelihood_ = 0;
};

}  // namespace scfe
