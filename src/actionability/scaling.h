// Min-max scaling of each column to [0, 1] over the training rows: the work space of distances, densities and
// the prox. People see original units.
//
//     x = offset + range · u
#pragma once

#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct Scaling {
  std::vector<double> offset, range;

  std::size_t columns() const { return offset.size(); }
  double to_work(std::size_t column, double x) const { return (x - offset[column]) / range[column]; }
  double to_original(std::size_t column, double u) const { return offset[column] + range[column] * u; }

  Matrix to_work(const Matrix& rows) const;
};

// A constant column gets range 1, which avoids a division by 0.
Scaling min_max_scaling(const Matrix& rows);
Scaling z_score_scaling(const Matrix& rows);
Scaling no_scaling(std::size_t columns);

}  // namespace scfe
