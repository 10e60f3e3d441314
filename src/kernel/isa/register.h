// One register of lanes as a GNU vector: eight lanes with AVX, four otherwise (SSE2, NEON). Lane counts are
// multiples of eight, so there is no remainder.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernels.h"

// Without unrolling, the compiler keeps the sums of a tile in memory, or moves them there around a loop.
#define SCFE_UNROLL _Pragma("GCC unroll 16")

namespace scfe::kernel::SCFE_ISA {

// The compiler would split a vector wider than the registers into single numbers.
#ifdef __AVX__
#define SCFE_VECTOR_BYTES 32
#else
#define SCFE_VECTOR_BYTES 16
#endif
using Vec [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = float;
using VecInt [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = int32_t;
using VecUnaligned [[gnu::vector_size(SCFE_VECTOR_BYTES), gnu::aligned(4)]] = float;

inline constexpr size_t vec_lanes = SCFE_VECTOR_BYTES / sizeof(float);

inline Vec load(const float* from) { return *reinterpret_cast<const VecUnaligned*>(from); }
inline void store(float* to, Vec value) { *reinterpret_cast<VecUnaligned*>(to) = value; }
inline Vec spread(float value) { return value - Vec{}; }  // x - 0 is x, even for -0; compiles to a broadcast
// a > b ? a : b, so a NaN in b stays. It is one instruction, which g++ 12 does not find by itself.
#if defined(__AVX__)
inline Vec max(Vec a, Vec b) { return __builtin_ia32_maxps256(a, b); }
inline Vec min(Vec a, Vec b) { return __builtin_ia32_minps256(a, b); }
#elif defined(__SSE__)
inline Vec max(Vec a, Vec b) { return __builtin_ia32_maxps(a, b); }
inline Vec min(Vec a, Vec b) { return __builtin_ia32_minps(a, b); }
#else
inline Vec max(Vec a, Vec b) { return a > b ? a : b; }
inline Vec min(Vec a, Vec b) { return a < b ? a : b; }
#endif

// True if the comparison holds in at least one lane.
#if defined(__AVX__)
inline bool any(VecInt mask) { return __builtin_ia32_movmskps256(reinterpret_cast<Vec>(mask)) != 0; }
#elif defined(__SSE__)
inline bool any(VecInt mask) { return __builtin_ia32_movmskps(reinterpret_cast<Vec>(mask)) != 0; }
#else
inline bool any(VecInt mask) {
  int32_t all = 0;
  for (size_t i = 0; i < vec_lanes; ++i) all |= mask[i];
  return all != 0;
}
#endif

}  // namespace scfe::kernel::SCFE_ISA
