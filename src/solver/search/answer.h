// The best answer of a row so far: a whole row, measured as it would be written.
#pragma once

#include <span>
#include <vector>

#include "solver/search/goal.h"

namespace scfe {

struct Answer {
  std::vector<double> values;
  double objective = Goal::unknown, margin = 0, log_density = 0;
  bool holds() const { return objective < Goal::infeasible; }
  void set(std::span<const double> row, double cost, float margin_of_row, float density) {
    values.assign(row.begin(), row.end());
    objective = cost;
    margin = margin_of_row;
    log_density = density;
  }
};

}  // namespace scfe
