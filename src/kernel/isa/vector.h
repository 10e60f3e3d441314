// One register of lanes as a GNU vector: eight lanes with AVX, four otherwise (SSE2, NEON). Lane counts are
// multiples of eight, so there is no remainder.
// The functions below use only arithmetic and blends, so every lane gets the same operations. The stated
// errors were measured over ranges that tests/kernel repeats.
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

inline Vec abs(Vec x) { return reinterpret_cast<Vec>(reinterpret_cast<VecInt>(x) & 0x7fffffff); }
// y, but NaN where x is NaN.
inline Vec keep_nan(Vec x, Vec y) { return x == x ? y : x; }  // NOLINT(misc-redundant-expression)
// size >= 0 with the sign of `sign`.
inline Vec with_sign(Vec size, Vec sign) {
  const VecInt bit = reinterpret_cast<VecInt>(sign) & static_cast<int32_t>(0x80000000U);
  return reinterpret_cast<Vec>(reinterpret_cast<VecInt>(size) | bit);
}

// e^x = 2^k (1 + q) with q = e^r - 1, |r| <= ln2/2.
struct Power {
  Vec q;
  VecInt k;  // in the bits of a float's exponent
};
inline Power power_of_e(Vec x) {
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
  return {p * (r * r) + r, reinterpret_cast<VecInt>(shifted) << 23};
}

// Relative error below 2e-7 on [-87, 88]; 0 below, e^88 above.
inline Vec exp(Vec x) {
  const Power power = power_of_e(max(min(x, spread(88.0F)), spread(-87.0F)));
  const Vec y = reinterpret_cast<Vec>(reinterpret_cast<VecInt>(power.q + 1.0F) + power.k);
  return x < -87.0F ? Vec{} : y;
}

// e^x for x <= 0, for terms of a sum. Very negative x give about 2^-115: too small to change a sum, but its
// products with numbers of usual size are not denormal. It is computed as 2^k (1 + r P(r)) with |r| <= 1/2.
// The product with log2(e) is rounded, which costs accuracy only where e^x is small. P was fitted for this
// code (weighted least squares driven to minimax). Relative error below 2e-7 (1 + |x| / 3).
inline Vec exp_share(Vec x) {
  const Vec round = spread(12582912.0F);  // 1.5 * 2^23: adding it rounds to the nearest integer
  const Vec y = max(spread(-79.71193F), x), shifted = y * 1.44269504F + round,
            r = y * 1.44269504F - (shifted - round);
  Vec p = spread(0.00132647273F);
  p = p * r + 0.00967151271F;
  p = p * r + 0.0555073374F;
  p = p * r + 0.240222421F;
  p = p * r + 0.693146978F;
  return reinterpret_cast<Vec>(reinterpret_cast<VecInt>(p * r + 1.0F) +
                               (reinterpret_cast<VecInt>(shifted) << 23));
}

// e^x - 1 without cancellation near 0, for x <= 88. Relative error below 3e-7.
inline Vec expm1(Vec x) {
  const Power power = power_of_e(max(min(x, spread(88.0F)), spread(-87.0F)));
  const Vec scale = reinterpret_cast<Vec>(power.k + 0x3f800000);
  return scale * power.q + (scale - 1.0F);
}

// 2 artanh(s) / s = 2 (1 + s²/3 + s⁴/5 + ...), enough terms for |s| <= 1/3.
inline Vec artanh_ratio(Vec s) {
  const Vec t = s * s;
  Vec p = spread(2.0F / 13);
  p = p * t + 2.0F / 11;
  p = p * t + 2.0F / 9;
  p = p * t + 2.0F / 7;
  p = p * t + 2.0F / 5;
  p = p * t + 2.0F / 3;
  return p * t + 2.0F;
}

// log(1 + x) = 2 artanh(x / (2 + x)) for 0 <= x <= 1. Relative error below 3e-7.
inline Vec log1p_unit(Vec x) {
  const Vec s = x / (x + 2.0F);
  return s * artanh_ratio(s);
}

// Normal positive x = 2^k m, m in [sqrt(1/2), sqrt(2)): k log 2 + 2 artanh((m - 1) / (m + 1)).
inline Vec log(Vec x) {
  const VecInt bits = reinterpret_cast<VecInt>(x) - 0x3f3504f3;  // sqrt(1/2)
  const VecInt k = bits >> 23;
  const Vec m = reinterpret_cast<Vec>(reinterpret_cast<VecInt>(x) - (k << 23));
  const Vec s = (m - 1.0F) / (m + 1.0F);
  const Vec exponent = __builtin_convertvector(k, Vec);
  return exponent * 0.693359375F + (s * artanh_ratio(s) - exponent * 2.12194440e-4F);
}

// With e = e^(-2|x|) - 1: |tanh x| = -e / (2 + e). Relative error below 5e-7, exactly 1 far out.
inline Vec tanh(Vec x) {
  const Vec e = expm1(-2.0F * abs(x));
  return with_sign(-e / (e + 2.0F), x);
}

// 1 / (1 + e^-x), with full relative accuracy on both sides.
inline Vec sigmoid(Vec x) {
  const Vec e = exp(-abs(x));
  return (x < 0.0F ? e : spread(1.0F)) / (e + 1.0F);
}

// erfc(z) e^(z²) for z >= 0: t Q(t), t = 1 / (1 + z/2). Q was fitted for this code (weighted least squares
// driven to minimax). Relative error below 5e-7.
inline Vec erfc_scaled(Vec z) {
  const Vec t = 1.0F / (0.5F * z + 1.0F);
  Vec q = spread(-0.0593637842F);
  q = q * t + 0.286013731F;
  q = q * t - 0.490179149F;
  q = q * t + 0.281474791F;
  q = q * t - 0.0289717174F;
  q = q * t + 0.203678383F;
  q = q * t + 0.24285364F;
  q = q * t + 0.282409589F;
  q = q * t + 0.282084472F;
  return q * t;
}

// x P(x²) near 0, where 1 - erfc would cancel. Relative error below 5e-7.
inline Vec erf(Vec x) {
  const Vec z = abs(x), t = x * x;
  Vec p = spread(7.853529e-05F);
  p = p * t - 0.000801010149F;
  p = p * t + 0.00518831818F;
  p = p * t - 0.0268538075F;
  p = p * t + 0.112835851F;
  p = p * t - 0.376126258F;
  p = p * t + 1.12837917F;
  const Vec far = 1.0F - exp(-t) * erfc_scaled(z);
  return z < 1.0F ? x * p : with_sign(far, x);
}

}  // namespace scfe::kernel::SCFE_ISA
