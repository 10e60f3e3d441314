// One factual and what it may do, in the work space.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace scfe {

struct Instance {
  std::vector<double> original;  // x_f in original units
  std::vector<double> factual;   // x_f in the work space
  std::vector<double> lo, hi;    // limits of w = x - x_f; lo <= 0 <= hi
  std::vector<float> anchor;     // what the density wants to know of x_f
  std::optional<double> floor;   // least log-density
};

}  // namespace scfe
