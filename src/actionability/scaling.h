// The work space of distances, densities and the prox: each column shifted and scaled. People see original
// units.
//
//     x = offset + scale · u
//
// By default the offset is the least value of the training rows and the scale is their range, so that u is
// from 0 to 1. With options.space = zscore they are the mean and the deviation, with none 0 and 1. What is
// promised as a share of the range (options.robust, options.diverse) uses the range of the training rows in
// every space.
#pragma once

#include <utility>
#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct Scaling {
  Scaling() = default;
  // The range is the scale unless it is given.
  Scaling(std::vector<double> offsets, std::vector<double> scales)
      : offset(std::move(offsets)), scale(std::move(scales)), range(scale) {}
  Scaling(std::vector<double> offsets, std::vector<double> scales, std::vector<double> ranges)
      : offset(std::move(offsets)), scale(std::move(scales)), range(std::move(ranges)) {}

  std::vector<double> offset, scale, range;

  std::size_t columns() const { return offset.size(); }
  double to_work(std::size_t column, double x) const { return (x - offset[column]) / scale[column]; }
  double to_original(std::size_t column, double u) const { return offset[column] + scale[column] * u; }

  Matrix to_work(const Matrix& rows) const;
};

// A constant column gets scale 1 and range 1, which avoids a division by 0.
Scaling min_max_scaling(const Matrix& rows);
Scaling z_score_scaling(const Matrix& rows);
Scaling no_scaling(const Matrix& rows);
// Of columns whose range is not known: it counts as 1.
Scaling no_scaling(std::size_t columns);

}  // namespace scfe
