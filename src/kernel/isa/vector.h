// Eight lanes as one GNU vector; two of them make a lane step of 16. Works on any target.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernels.h"

namespace scfe::kernel::SCFE_ISA {

typedef float Vec __attribute__((vector_size(32)));
typedef int32_t VecInt __attribute__((vector_size(32)));
typedef float VecUnaligned __attribute__((vector_size(32), aligned(4)));

inline constexpr size_t vec_lanes = 8;

inline Vec load(const float* from) { return *reinterpret_cast<const VecUnaligned*>(from); }
inline void store(float* to, Vec value) { *reinterpret_cast<VecUnaligned*>(to) = value; }
inline Vec spread(float value) { return Vec{} + value; }
inline Vec max(Vec a, Vec b) { return a > b ? a : b; }
inline Vec min(Vec a, Vec b) { return a < b ? a : b; }

// exp by 2^k p(r), |r| <= ln2/2; relative error below 1e-7 on [-87, 88], clamped outside.
inline Vec exp(Vec x) {
  x = max(min(x, spread(88.0F)), spread(-87.0F));
  const Vec round = spread(12582912.0F);  // 1.5 * 2^23: adding it rounds to the nearest integer
  const Vec shifted = x * 1.44269504088896F + round;
  const Vec k = shifted - round;
  const Vec r = (x - k * 0.693359375F) + k * 2.12194440e-4F;
  Vec p = spread(1.98756915e-4F);
  p = p * r + 1.39819995e-3F;
  p = p * r + 8.33345191e-3F;
  p = p * r + 4.16657959e-2F;
  p = p * r + 1.66666655e-1F;
  p = p * r + 5.00000012e-1F;
  p = p * (r * r) + r + 1.0F;
  const VecInt exponent = reinterpret_cast<VecInt>(shifted) << 23;
  return reinterpret_cast<Vec>(reinterpret_cast<VecInt>(p) + exponent);
}

}  // namespace scfe::kernel::SCFE_ISA
