// Density gravity: the distance of x from a dense region of the class near the factual.
//
//     G(x_f)  = sum_i rho_i x_i / sum_i rho_i         over the k rows of the class nearest to x_f
//     rho_i   = k / sum of the distances from x_i to its k nearest rows (without itself), in l1, l2 or linf
//     log q   = -|x - G|²                             kappa_j = 2                   (exact)
//     plain:    -sqrt(|x - G|² + e²) + e              kappa_j = 1 / sqrt(|x - G|² + e²)
//
// All in the density's space (scale_j times the work coordinate), where kappa_j is multiplied by scale_j².
// The plain form's bound holds because the root is concave: with r² = |x - G|² + e², sqrt(r² + t) <= r + t /
// 2r, and t = 2 (x - G)·s + |s|² for a step s. e = 1e-4 makes it smooth: the gradient at G is 0 instead of
// 0/0, and the value is off by at most e elsewhere.
//
// Categories: indicator columns are scaled by 1/2, so that another level adds 1/2 to the squared distance.
// This is the squared HEOM distance of Wilson and Martinez (1997) with categories at half weight; at full
// weight they would dominate the numbers. G then lies between the levels.
//
// Paper mode counts a row among its own k neighbours (at distance 0), as the authors' public code does; that
// code searches in the min-max space. Zhang et al. (2023); S-CFE, definition of density gravity. Not a
// likelihood, but cheap and exactly quadratic. Use it if a class has too few rows for a density.
#pragma once

#include "plausibility/fit.h"
#include "plausibility/index/coded_nearest.h"
#include "plausibility/index/near_index.h"
#include "support/bytes.h"

namespace scfe {

class Gravity : public Density {
 public:
  struct Form {
    std::size_t neighbours = 5;
    bool plain = false;
    bool counts_itself = false;
    Metric metric = Metric::l2;  // of the neighbours and of rho; |x - G| is always Euclidean
  };
  // Rows are in the work space. An empty scale means that the density's space is the work space. Many rows
  // are searched by an index (plausibility/index/near_index.h).
  Gravity(const Matrix& rows, Form form, std::vector<double> scale, std::uint64_t seed = 0);
  // The same for rows whose categories are kept as codes (plausibility/many_levels.h).
  Gravity(const MixedRows& rows, const Columns& columns, Form form, std::vector<double> scale);

  std::size_t features() const override { return scale_.size(); }
  std::size_t weights() const override { return form_.plain ? 1 : 0; }
  std::size_t scratch(std::size_t max_lanes) const override { return padded(max_lanes); }
  void anchor(std::span<const float> factual, std::span<float> anchor) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  // exp(-|x - G|^k / b) is a density with mean |x - G|^k = b features / k, where k = 2, or 1 if plain.
  double nat(double mean_held_out) const override {
    return (form_.plain ? 1 : 2) * -mean_held_out / static_cast<double>(features());
  }
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;
  std::optional<Separable> separable(std::span<const float> anchor) const override;

  // The gravity point of a factual in the work space; row `skip` is not among its neighbours.
  std::vector<double> gravity(std::span<const double> factual,
                              std::size_t skip = static_cast<std::size_t>(-1)) const;
  // log q of x for a given gravity point, both in the work space.
  double log_density(std::span<const double> x, std::span<const double> gravity) const;

  // The index used for many rows, or null.
  const NearIndex* index() const { return index_.get(); }

  void save(ByteWriter& out) const;
  static Gravity load(ByteReader& in);

 private:
  Gravity(std::shared_ptr<const NearIndex> index, Form form, std::vector<double> scale);
  Gravity(std::shared_ptr<const CodedRows> coded, Form form, std::vector<double> scale);
  void set_scale(std::vector<double> scale, std::size_t columns);
  // The nearest rows of a point in the density's space.
  std::vector<Neighbour> near(std::span<const double> x, std::size_t count, std::size_t skip) const;
  double local_density(std::size_t row) const;
  // Adds weight times the row, in the work space.
  void add_row(std::size_t row, double weight, std::span<double> point) const;

  Matrix rows_;                             // density space; empty if there is an index, or codes
  Matrix originals_;                        // work space; likewise
  std::shared_ptr<const NearIndex> index_;  // density space
  std::shared_ptr<const CodedRows> coded_;  // density space
  Form form_;
  std::vector<double> scale_;
  std::vector<float> squared_scale_;
};

FittedDensity fit_knn(const Matrix& rows, const DensityOptions& options);
FittedDensity fit_knn_levels(const MixedRows& rows, const DensityOptions& options);

}  // namespace scfe
