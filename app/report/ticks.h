// Round numbers along an axis: 0, 2000, 4000 ...
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scfe::app {

struct Tick {
  double value = 0;
  std::string text;  // with as many decimals as the step between ticks needs
};
// Multiples of 1, 2 or 5 times a power of ten from lo to hi, about as many as asked; none if the range is not
// finite. `least_step`: 1 for whole numbers.
std::vector<Tick> round_ticks(double lo, double hi, std::size_t about, double least_step = 0);

}  // namespace scfe::app
