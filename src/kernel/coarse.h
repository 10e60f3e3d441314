// Rows in four bits a number, for a first look (kernel/isa/coarse.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

inline constexpr std::size_t coarse_levels = 16, coarse_rows = 32;
inline constexpr std::size_t coarse_pairs(std::size_t features) { return (features + 1) / 2; }
// Of 32 rows.
inline constexpr std::size_t coarse_bytes(std::size_t features) {
  return coarse_pairs(features) * coarse_rows;
}

// Blocks of 32 rows, [block][pair of features][32]: the level of the first feature in the lower four bits, of
// the second in the upper.
struct Coarse {
  std::size_t blocks, features;
  const std::uint8_t* codes;
};

// [feature][16]: what a row at that level adds to its distance from one point; 0 for a feature that only
// fills up a pair.
inline constexpr std::size_t coarse_table_bytes(std::size_t features) {
  return coarse_pairs(features) * 2 * coarse_levels;
}

}  // namespace scfe::kernel
