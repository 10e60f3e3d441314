// Rows of a cell in seven bits a number, for a first look (kernel/isa/coarse.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

// Groups of sixteen rows, [group][pair of features][16][2]: 64 + round(number / step), measured from the
// origin. After the features comes one more pair: round(|row|² / 2 / square_step), and 0.
struct Coarse {
  std::size_t groups, features;  // at most 32 groups
  const std::uint8_t* bytes;
  const float* origin;  // [feature], and 0 up to coarse_padded(features)
  float step, square_step;
  float margin;  // what rounding may hide of an exponent, for x at 1 from the origin
};

// Of the points as well.
inline constexpr std::size_t coarse_padded(std::size_t features) { return (features + 7) / 8 * 8; }
inline constexpr std::size_t coarse_group_bytes(std::size_t features) {
  return ((features + 1) / 2 + 1) * 32;
}
// Of coarse_groups, in int16_t.
inline constexpr std::size_t coarse_scratch(std::size_t features) { return 2 * coarse_padded(features) + 8; }

}  // namespace scfe::kernel
