// Writable values of a column: multiples of its step (0.01, 1, 100, ...), or nine significant digits if it
// has no step, which is enough to read a float back unchanged.
#pragma once

#include <vector>

namespace scfe {

struct Writing {
  std::vector<double> step;  // 0: no step

  // nearest: the nearest writable value. neighbour: the writable value `away` steps below (< 0) or above (>
  // 0) x; -1 is the largest writable value <= x, +1 the smallest >= x.
  double nearest(std::size_t column, double x) const;
  double neighbour(std::size_t column, double x, int away) const;
};

}  // namespace scfe
