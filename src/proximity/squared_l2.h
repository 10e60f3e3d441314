// Proximity: sum_j weight_j w_j², the squared distance between the factual and the answer in the work
// space. Weights of 1/MAD make a change cost by how much the column varies among the training rows.
#pragma once

#include <vector>

#include "scfe/block.h"
#include "scfe/matrix.h"

namespace scfe {

class SquaredL2 {
 public:
  SquaredL2() = default;  // every weight 1
  explicit SquaredL2(const std::vector<double>& weight);

  void evaluate(const Block& w, float* value) const;
  const float* weight() const { return weight_.empty() ? nullptr : weight_.data(); }  // null: all 1

 private:
  std::vector<float> weight_;
};

// 1 / MAD_j, MAD_j = median_i |x_ij - median_i x_ij|. More than half the rows alike give MAD 0: then the
// mean absolute deviation stands in, and weight 1 for a column that never varies.
std::vector<double> inverse_mad_weights(const Matrix& rows);

}  // namespace scfe
