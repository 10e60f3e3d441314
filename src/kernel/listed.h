// Compares one point with rows that are picked by a list (kernel/isa/listed.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernels.h"

namespace scfe::kernel {

// Numbers per row, origin, point and moment: `features`, padded with zeros to a multiple of 8.
inline constexpr std::size_t listed_width(std::size_t features) { return (features + 7) / 8 * 8; }

// Rows relative to the origin of their cell, as the upper halves of floats: [row][width], and [cell][width].
struct ListedRows {
  std::size_t width;
  const std::uint16_t* halves;
  const float* origins;
};
struct Listed {
  std::uint32_t row, cell;
};
// The sum is total times e^peak.
struct ListedSum {
  float peak;  // initially -1e30, below every exponent
  float total;
  float* moment;  // [width], or null
};

// Rows in full precision, [row][width].
struct PlainRows {
  std::size_t width;
  const float* values;
  Distance distance;
};

}  // namespace scfe::kernel
