// Work space: each column min-max scaled to [0, 1] over the training rows. Distances, densities and prox
// live there; people see original units.
//
//     x = offset + range · u
#pragma once

#include <span>
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

// A constant column gets range 1: it sits at 0 and is not divided by nothing.
Scaling min_max_scaling(const Matrix& rows);
Scaling z_score_scaling(const Matrix& rows);
Scaling no_scaling(std::size_t columns);

}  // namespace scfe
