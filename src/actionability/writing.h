// What a column can hold when it is written: multiples of its step (0.01, 1, 100, ...), or nine
// significant digits where it has none, which is enough for single precision to come back unchanged.
#pragma once

#include <vector>

namespace scfe {

struct Writing {
  std::vector<double> step;  // 0: no step

  // The nearest writable value, and the neighbours `away` steps below (< 0) or above (> 0) of x:
  // away = -1 is the largest writable value <= x, +1 the smallest >= x.
  double nearest(std::size_t column, double x) const;
  double neighbour(std::size_t column, double x, int away) const;
};

}  // namespace scfe
