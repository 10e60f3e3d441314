// Eight partial sums, as one register of eight lanes has them, and as many registers as that takes elsewhere:
// so the order of a sum is the same for every instruction set.
#pragma once

#include "kernel/isa/vector.h"

namespace scfe::kernel::SCFE_ISA {

inline constexpr size_t partial_sums = 8;
inline constexpr size_t sum_vectors = partial_sums / vec_lanes;

struct PartialSums {
  Vec part[sum_vectors] = {};

  // ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
  float total() const {
#if SCFE_VECTOR_BYTES == 32
    Vec sum = part[0] + __builtin_shufflevector(part[0], part[0], 4, 5, 6, 7, 0, 1, 2, 3);
    sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 6, 7, 4, 5);
#else
    Vec sum = part[0] + part[1];
    sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
#endif
    return sum[0] + sum[1];
  }
};

}  // namespace scfe::kernel::SCFE_ISA
