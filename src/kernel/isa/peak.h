// A running maximum per lane, and the number of the first value that reached it.
#pragma once

#include "kernel/isa/vector.h"

namespace scfe::kernel::SCFE_ISA {

// Stores the lowest byte of each number, four at a time. g++ 12 compiles a plain conversion to scalar code.
using Bytes [[gnu::vector_size(16)]] = uint8_t;
inline void put_bytes(VecInt numbers, uint8_t* to) {
  Bytes parts[sizeof(VecInt) / sizeof(Bytes)];
  __builtin_memcpy(parts, &numbers, sizeof(numbers));
  for (const Bytes& part : parts) {
    const Bytes lowest =
        __builtin_shufflevector(part, part, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
    __builtin_memcpy(to, &lowest, sizeof(int32_t));
    to += sizeof(int32_t);
  }
}

struct Peak {
  Vec best;
  VecInt first;

  void meet(Vec value, size_t tap) {
    const VecInt better = value > best;
    best = better ? value : best;
    first = better ? VecInt{} + static_cast<int32_t>(tap) : first;
  }
  // max(0, best): where best is not positive, the number becomes `taps`.
  void rectify(size_t taps) {
    first = best > 0.0F ? first : VecInt{} + static_cast<int32_t>(taps);
    best = best < 0.0F ? Vec{} : best;
  }
  void put(float* y, uint8_t* code) const {
    store(y, best);
    put_bytes(first, code);
  }
};

inline Peak peak_of(Vec value, size_t tap) { return {value, VecInt{} + static_cast<int32_t>(tap)}; }

}  // namespace scfe::kernel::SCFE_ISA
