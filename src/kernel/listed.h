// Rows of a list, one by one (kernel/isa/listed.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernels.h"

namespace scfe::kernel {

// Of rows, origins, points and moments; what fills up is 0.
inline constexpr std::size_t listed_width(std::size_t features) { return (features + 7) / 8 * 8; }

// The upper halves of floats, [row][width], each measured from the origin of its cell, [cell][width].
struct ListedRows {
  std::size_t width;
  const std::uint16_t* halves;
  const float* origins;
};
struct Listed {
  std::uint32_t row, cell;
};
// total times e^peak.
struct ListedSum {
  float peak;  // starts at or below every exponent: -1e30
  float total;
  float* moment;  // [width], or null
};

// Rows as they are, [row][width].
struct PlainRows {
  std::size_t width;
  const float* values;
  Distance distance;
};

}  // namespace scfe::kernel
