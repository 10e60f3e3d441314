// Rows quantised to four bits per number, for a fast estimate of distances (kernel/isa/coarse.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

inline constexpr std::size_t coarse_levels = 16, coarse_rows = 32;
inline constexpr std::size_t coarse_pairs(std::size_t features) { return (features + 1) / 2; }
// Bytes of a block of 32 rows.
inline constexpr std::size_t coarse_bytes(std::size_t features) {
  return coarse_pairs(features) * coarse_rows;
}

// Blocks of 32 rows, [block][pair of features][32]. The lower four bits are the level of the first feature of
// the pair, the upper four that of the second.
struct Coarse {
  std::size_t blocks, features;
  const std::uint8_t* codes;
};

// Size of a table [feature][16]: how much a row at that level adds to its distance from one point. The
// entries are 0 for the feature that pads an odd count.
inline constexpr std::size_t coarse_table_bytes(std::size_t features) {
  return coarse_pairs(features) * 2 * coarse_levels;
}

}  // namespace scfe::kernel
