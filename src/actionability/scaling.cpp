#include "actionability/scaling.h"

#include <algorithm>
#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

void check(const Matrix& rows) {
  if (rows.rows == 0) throw Error("rows", "at least one training row", "none");
}

}  // namespace

Matrix Scaling::to_work(const Matrix& rows) const {
  Matrix work(rows.rows, rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) work[i][j] = to_work(j, rows[i][j]);
  return work;
}

Scaling min_max_scaling(const Matrix& rows) {
  check(rows);
  std::vector<double> least(rows.cols), range(rows.cols, 1.0);
  for (std::size_t j = 0; j < rows.cols; ++j) {
    double lo = INFINITY, hi = -INFINITY;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      lo = std::min(lo, rows[i][j]);
      hi = std::max(hi, rows[i][j]);
    }
    least[j] = lo;
    if (hi > lo) range[j] = hi - lo;
  }
  return {std::move(least), std::move(range)};
}

Scaling z_score_scaling(const Matrix& rows) {
  check(rows);
  Scaling scaling = no_scaling(rows);
  const auto n = static_cast<double>(rows.rows);
  for (std::size_t j = 0; j < rows.cols; ++j) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) mean += rows[i][j] / n;
    for (std::size_t i = 0; i < rows.rows; ++i) square += std::pow(rows[i][j] - mean, 2);
    const double deviation = rows.rows > 1 ? std::sqrt(square / (n - 1)) : 0;
    scaling.offset[j] = mean;
    if (deviation > 0) scaling.scale[j] = deviation;
  }
  return scaling;
}

Scaling no_scaling(const Matrix& rows) {
  return {std::vector<double>(rows.cols, 0.0), std::vector<double>(rows.cols, 1.0),
          min_max_scaling(rows).range};
}

Scaling no_scaling(std::size_t columns) {
  return {std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0)};
}

}  // namespace scfe
