// The KDE of rows whose categories have many levels. It is the sum of plausibility/kde/kde.h, over rows that
// are kept as numbers and places of levels instead of a column per level:
//
//     e_i(x) = -1/2 sum_numbers ((x_j - x_ij) / h_j)² - 1/2 sum_levels s_l² (x_l - [l is a level of row i])²
//            = -1/2 sum_numbers ((x_j - x_ij) / h_j)² + sum_{l of row i} s_l² (x_l - 1/2)
//              - 1/2 sum_levels s_l² x_l²                                           (the same for all rows)
//
// A row costs its numbers and categories, however many levels there are, so no tree is built for many rows.
// Exponents are computed twice, for their peak and for the sum, instead of being stored.
#pragma once

#include <span>
#include <vector>

#include "plausibility/fit.h"
#include "support/bytes.h"

namespace scfe {

class CodedKde : public Density {
 public:
  // Rows and 1/h_j (1/s_l for levels) in the work space; `numeric` are the columns of the rows' numbers.
  CodedKde(const MixedRows& rows, std::vector<int> numeric, std::span<const double> inverse_bandwidth,
           double log_norm, const kernel::Kernels& kernels);

  std::size_t features() const override { return inverse_.size(); }
  std::size_t scratch(std::size_t max_lanes) const override { return 4 * padded(max_lanes); }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

  void save(ByteWriter& out) const;
  static CodedKde load(ByteReader& in);

 private:
  explicit CodedKde(const kernel::Kernels& kernels) : kernels_(&kernels) {}
  std::size_t rows() const;
  // Computes what follows from inverse_.
  void prepare();
  void exponents(std::size_t row, const Block& x, float* e) const;

  std::vector<int> numeric_, levels_;  // columns of the numbers; [row][group] columns of the levels
  std::size_t groups_ = 0;
  std::vector<float> numbers_;  // [row][numeric]
  std::vector<double> inverse_;
  std::vector<float> precision_;  // 1 / h_j²
  double log_norm_ = 0;
  const kernel::Kernels* kernels_;
};

}  // namespace scfe
