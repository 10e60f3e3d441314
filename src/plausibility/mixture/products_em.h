// A mixture of products by expectation maximisation.
//
//     E:  r_ik = exp(e_k(x_i)) / sum_k exp(e_k(x_i))
//     M:  n_k = sum_i r_ik,  pi_k = n_k / n,  mu_kj and var_kj = weighted mean and variance (above its floor)
//         p_kc = (n_kc + a p_c) / (n_k + a),   p_c = (n_c + 1) / (n + levels of the category)
//
// The level probabilities of a component lean to those of all rows with the weight of a = 5 rows (Laplace
// smoothing twice over: no level is impossible, and a component of few rows claims little). Starts are rows
// drawn as k-means++ draws centres, each row joining its nearest; the best third of the short runs goes on to
// the end.
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

// Parameters with the components side by side, as sums over rows want them.
class ProductsEm {
 public:
  ProductsEm(std::size_t components, const ProductsEmOptions& options);

  // The best of several starts.
  static ProductsEm fit(const MixedRows& rows, std::size_t components, const ProductsEmOptions& options);
  // On from where it is, over those rows; at most that many rounds, fewer if they bring no more.
  void run(const MixedRows& rows, int rounds);

  double log_density(const MixedRows& rows, std::size_t row);
  double log_likelihood() const { return log_likelihood_; }  // sum over the rows of the last run
  Products products() const;

 private:
  void start(const MixedRows& rows, class Random& random);
  void clear();
  void add(const MixedRows& rows, std::size_t row);  // the row, by its shares
  double expect(const MixedRows& rows);
  void maximise();
  void maximise_levels(const std::vector<int>& group);
  void prepare();

  const ProductsEmOptions* options_;
  std::size_t components_, columns_ = 0;
  std::vector<double> weights_, means_, variances_, levels_;  // [component], [column][component]
  std::vector<double> log_weights_, half_precisions_, log_levels_;
  std::vector<double> count_, sum_, square_, level_count_;  // statistics of a round
  std::vector<double> shares_;
  double rows_ = 0, log_likelihood_ = 0;
};

}  // namespace scfe
