#include "proximity/squared_l2.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"

namespace scfe {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

SquaredL2::SquaredL2(const std::vector<double>& weight) {
  for (std::size_t j = 0; j < weight.size(); ++j) {
    if (!std::isfinite(weight[j]) || weight[j] < 0)
      throw Error("weight[" + std::to_string(j) + "]", "a finite number >= 0", std::to_string(weight[j]));
    weight_.push_back(static_cast<float>(weight[j]));
  }
}

void SquaredL2::evaluate(const Block& w, float* value) const {
  assert(weight_.empty() || weight_.size() == w.features());
  kernel::kernels().squares(w.features(), weight(), kernel::rows_of(w), value, w.padded_lanes());
}

std::vector<double> inverse_mad_weights(const Matrix& rows) {
  if (rows.rows == 0) throw Error("rows", "at least one training row", "none");
  std::vector<double> weight(rows.cols, 1.0), column(rows.rows);
  for (std::size_t j = 0; j < rows.cols; ++j) {
    for (std::size_t i = 0; i < rows.rows; ++i) column[i] = rows[i][j];
    const double middle = median(column);
    double mean = 0;
    for (double& x : column) mean += (x = std::fabs(x - middle)) / static_cast<double>(rows.rows);
    const double mad = median(column);
    const double spread = mad > 0 ? mad : mean;
    if (spread > 0) weight[j] = 1 / spread;
  }
  return weight;
}

}  // namespace scfe
