// Proximity: sum_j weight_j w_j², the squared distance between factual and answer in the work space. With
// weights 1/MAD a change is measured relative to the column's variation over the training rows.
#pragma once

#include <vector>

#include "scfe/block.h"
#include "scfe/matrix.h"

namespace scfe {

class SquaredL2 {
 public:
  SquaredL2() = default;  // all weights are 1
  explicit SquaredL2(const std::vector<double>& weight);

  void evaluate(const Block& w, float* value) const;
  const float* weight() const { return weight_.empty() ? nullptr : weight_.data(); }  // null: all 1

 private:
  std::vector<float> weight_;
};

// 1 / MAD_j, MAD_j = median_i |x_ij - median_i x_ij|. If that is 0 because most rows are equal, the mean
// absolute deviation is used instead; a constant column gets weight 1.
std::vector<double> inverse_mad_weights(const Matrix& rows);

}  // namespace scfe
