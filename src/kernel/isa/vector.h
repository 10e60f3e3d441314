// Functions of one register of lanes. They use only arithmetic and blends, so every lane gets the same
// operations. The stated errors were measured over ranges that tests/kernel repeats.
//
// All instruction sets give the same bits: products and sums are fused where the source says fma and nowhere
// else (these files are compiled with -ffp-contract=off), and what is summed across lanes has eight partial
// sums, however many lanes a register has (kernel/isa/partial_sums.h).
#pragma once

#include "kernel/isa/fused.h"

namespace scfe::kernel::SCFE_ISA {

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
  const Vec shifted = fma(x, 1.44269504088896F, round);
  const Vec k = shifted - round;
  const Vec r = fma(k, 2.12194440e-4F, fma(-k, 0.693359375F, x));
  Vec p = spread(1.98756915e-4F);
  p = fma(p, r, 1.39819995e-3F);
  p = fma(p, r, 8.33345191e-3F);
  p = fma(p, r, 4.16657959e-2F);
  p = fma(p, r, 1.66666655e-1F);
  p = fma(p, r, 5.00000012e-1F);
  return {fma(p, r * r, r), reinterpret_cast<VecInt>(shifted) << 23};
}

// Relative error below 2e-7 on [-87, 88]; 0 below, e^88 above.
inline Vec exp(Vec x) {
  const Power power = power_of_e(max(min(x, spread(88.0F)), spread(-87.0F)));
  const Vec y = reinterpret_cast<Vec>(reinterpret_cast<VecInt>(power.q + 1.0F) + power.k);
  return x < -87.0F ? Vec{} : y;
}

// e^x for x <= 0, for terms of a sum. Very negative x give about 2^-115: too small to change a sum, but its
// products with numbers of usual size are not denormal. It is computed as 2^k (1 + r P(r)) with |r| <= 1/2.
// log2(e) is one rounded number, which costs accuracy only where e^x is small. P was fitted for this
// code (weighted least squares driven to minimax). Relative error below 2e-7 (1 + |x| / 3).
inline Vec exp_share(Vec x) {
  const Vec round = spread(12582912.0F);  // 1.5 * 2^23: adding it rounds to the nearest integer
  const Vec y = max(spread(-79.71193F), x), shifted = fma(y, 1.44269504F, round),
            r = fma(y, 1.44269504F, -(shifted - round));
  Vec p = spread(0.00132647273F);
  p = fma(p, r, 0.00967151271F);
  p = fma(p, r, 0.0555073374F);
  p = fma(p, r, 0.240222421F);
  p = fma(p, r, 0.693146978F);
  return reinterpret_cast<Vec>(reinterpret_cast<VecInt>(fma(p, r, 1.0F)) +
                               (reinterpret_cast<VecInt>(shifted) << 23));
}

// e^x - 1 without cancellation near 0, for x <= 88. Relative error below 3e-7.
inline Vec expm1(Vec x) {
  const Power power = power_of_e(max(min(x, spread(88.0F)), spread(-87.0F)));
  const Vec scale = reinterpret_cast<Vec>(power.k + 0x3f800000);
  return fma(scale, power.q, scale - 1.0F);
}

// 2 artanh(s) / s = 2 (1 + s²/3 + s⁴/5 + ...), enough terms for |s| <= 1/3.
inline Vec artanh_ratio(Vec s) {
  const Vec t = s * s;
  Vec p = spread(2.0F / 13);
  p = fma(p, t, 2.0F / 11);
  p = fma(p, t, 2.0F / 9);
  p = fma(p, t, 2.0F / 7);
  p = fma(p, t, 2.0F / 5);
  p = fma(p, t, 2.0F / 3);
  return fma(p, t, 2.0F);
}

// log(1 + x) + y = 2 artanh(x / (2 + x)) + y for 0 <= x <= 1. Relative error of the logarithm below 3e-7.
inline Vec log1p_unit_plus(Vec x, Vec y) {
  const Vec s = x / (x + 2.0F);
  return fma(s, artanh_ratio(s), y);
}

// Normal positive x = 2^k m, m in [sqrt(1/2), sqrt(2)): k log 2 + 2 artanh((m - 1) / (m + 1)).
inline Vec log(Vec x) {
  const VecInt bits = reinterpret_cast<VecInt>(x) - 0x3f3504f3;  // sqrt(1/2)
  const VecInt k = bits >> 23;
  const Vec m = reinterpret_cast<Vec>(reinterpret_cast<VecInt>(x) - (k << 23));
  const Vec s = (m - 1.0F) / (m + 1.0F);
  const Vec exponent = __builtin_convertvector(k, Vec);
  return fma(exponent, 0.693359375F, fma(s, artanh_ratio(s), -(exponent * 2.12194440e-4F)));
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
  const Vec t = 1.0F / fma(z, 0.5F, 1.0F);
  Vec q = spread(-0.0593637842F);
  q = fma(q, t, 0.286013731F);
  q = fma(q, t, -0.490179149F);
  q = fma(q, t, 0.281474791F);
  q = fma(q, t, -0.0289717174F);
  q = fma(q, t, 0.203678383F);
  q = fma(q, t, 0.24285364F);
  q = fma(q, t, 0.282409589F);
  q = fma(q, t, 0.282084472F);
  return q * t;
}

// x P(x²) near 0, where 1 - erfc would cancel. Relative error below 5e-7.
inline Vec erf(Vec x) {
  const Vec z = abs(x), t = x * x;
  Vec p = spread(7.853529e-05F);
  p = fma(p, t, -0.000801010149F);
  p = fma(p, t, 0.00518831818F);
  p = fma(p, t, -0.0268538075F);
  p = fma(p, t, 0.112835851F);
  p = fma(p, t, -0.376126258F);
  p = fma(p, t, 1.12837917F);
  const Vec far = fma(-exp(-t), erfc_scaled(z), 1.0F);
  return z < 1.0F ? x * p : with_sign(far, x);
}

}  // namespace scfe::kernel::SCFE_ISA
