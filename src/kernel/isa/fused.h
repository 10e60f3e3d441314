// a b + c with one rounding. Where the processor has no instruction for it, it is computed in double
// precision: there the product of two floats is exact, so that only the sum is rounded, and then once more to
// a float. That gives the wrong float only if the rounded sum lies exactly between two floats. This is seen
// in its last 29 bits (where the result is no normal float: it may always be), and then the C library
// computes it.
#pragma once

#include "kernel/isa/register.h"

#if defined(__SSE2__) && !defined(__FMA__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace scfe::kernel::SCFE_ISA {

#if defined(__FMA__)

inline Vec fma(Vec a, Vec b, Vec c) { return __builtin_ia32_vfmaddps256(a, b, c); }

#elif defined(__ARM_NEON)

inline Vec fma(Vec a, Vec b, Vec c) { return vfmaq_f32(c, a, b); }

#else

// Not inlined: it is rare, or the processor is one that we do not know.
[[gnu::noinline]] inline Vec fma_by_library(Vec a, Vec b, Vec c) {
  Vec y{};
  for (size_t i = 0; i < vec_lanes; ++i) y[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return y;
}

#if defined(__SSE2__)

// Not inlined either: the loops are unrolled over many of them, and would take long to compile.
[[gnu::noinline]] inline Vec fma(Vec a, Vec b, Vec c) {
  const auto upper = [](Vec v) { return _mm_cvtps_pd(_mm_movehl_ps(v, v)); };
  const __m128d low = _mm_cvtps_pd(a) * _mm_cvtps_pd(b) + _mm_cvtps_pd(c);
  const __m128d high = upper(a) * upper(b) + upper(c);
  const auto words = [&](auto shuffled) { return reinterpret_cast<VecInt>(shuffled); };
  const VecInt last = words(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0x88));
  const VecInt size = words(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0xdd)) & 0x7fffffff;
  constexpr int32_t smallest_normal = (1023 - 126) << 20;  // 2^-126 in the first word of a double
  const VecInt between = (last & 0x1fffffff) == 0x10000000, tiny = (size > 0) & (size <= smallest_normal);
  if (any(between | tiny)) [[unlikely]]
    return fma_by_library(a, b, c);
  return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

#else

inline Vec fma(Vec a, Vec b, Vec c) { return fma_by_library(a, b, c); }

#endif
#endif

inline Vec fma(Vec a, float b, Vec c) { return fma(a, spread(b), c); }
inline Vec fma(Vec a, Vec b, float c) { return fma(a, b, spread(c)); }
inline Vec fma(Vec a, float b, float c) { return fma(a, spread(b), spread(c)); }

}  // namespace scfe::kernel::SCFE_ISA
