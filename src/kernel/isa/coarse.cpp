// A first look at rows kept in seven bits a number: which groups of sixteen have one that is near?
//
//     e_i = -1/2 |c_i - z|² = sum_j c_ij z_j - 1/2 |c_i|² - 1/2 |z|²,   z = x - origin
//
// z is rounded to steps of 1/127 of its length or somewhat more: so that |c|² / 2 takes part as one more
// feature, times a whole number. The sum is taken over whole numbers, sixteen rows and two features an
// instruction: a quarter of the work and half of the memory of kernel/isa/packed.cpp. On its way it may wrap
// around in sixteen bits; its end fits, where the step is wide enough (plausibility/row_tree_build.cpp).
#include "kernel/coarse.h"

#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

using Shorts [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = int16_t;
using ShortsUnaligned [[gnu::vector_size(SCFE_VECTOR_BYTES), gnu::aligned(1)]] = int16_t;
using Bytes [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = char;
using Longs [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = uint64_t;
using LongsUnaligned [[gnu::vector_size(SCFE_VECTOR_BYTES), gnu::aligned(2)]] = uint64_t;

constexpr size_t together = 16;
constexpr size_t vectors = together * sizeof(int16_t) / SCFE_VECTOR_BYTES;
constexpr size_t most_groups = 8 / vectors;
constexpr size_t stride = 4;  // of the pairs of z
constexpr float steps = 127, least = -32767, most = 32767;
constexpr int32_t middle = 64;
constexpr float round_to_whole = 12582912.0F;  // 1.5 * 2^23: its sum with x has round(x) in the lower bits

// Sums of two products each: bytes of `rows` without a sign, those of `by` with one.
#ifdef __AVX2__
Shorts products(Shorts rows, Shorts by) {
  return __builtin_ia32_pmaddubsw256(reinterpret_cast<Bytes>(rows), reinterpret_cast<Bytes>(by));
}
bool any(Shorts mask) { return __builtin_ia32_pmovmskb256(reinterpret_cast<Bytes>(mask)) != 0; }
#else
using UnsignedShorts [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = uint16_t;
Shorts products(Shorts rows, Shorts by) {
  const Shorts upper = reinterpret_cast<Shorts>(reinterpret_cast<UnsignedShorts>(rows) >> 8);
  return (rows & 0xff) * ((by << 8) >> 8) + upper * (by >> 8);
}
bool any(Shorts mask) { return SCFE_ISA::any(reinterpret_cast<VecInt>(mask) != 0); }
#endif

float total(Vec v) {
  float part[vec_lanes];
  __builtin_memcpy(part, &v, sizeof(v));
  for (size_t half = vec_lanes / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) part[i] += part[i + half];
  return part[0];
}

// z in whole numbers, two features in the lower bits of 64, and how often |c|² / 2 is taken off.
class Rounded {
 public:
  Rounded(const Coarse& rows, const float* x, int16_t* pairs) {
    const size_t width = coarse_padded(rows.features);
    Vec squares = {};
    for (size_t j = 0; j < width; j += vec_lanes) {
      const Vec z = load(x + j) - load(rows.origin + j);
      squares += z * z;
    }
    squared = total(squares);
    length = __builtin_sqrtf(squared);
    const float off = choose_unit(rows), by = rows.step / unit;
    VecInt sums = {};
    for (size_t j = 0; j < width; j += vec_lanes)
      sums += put((load(x + j) - load(rows.origin + j)) * by, pairs + j * stride / 2);
    for (size_t i = 0; i < vec_lanes; ++i) sum += sums[i];
    pairs[(rows.features + 1) / 2 * stride] = static_cast<int16_t>(-static_cast<int32_t>(off) & 0xff);
  }

  float squared = 0, length = 0;
  float unit = 0;  // of the sums
  int32_t sum = 0;

 private:
  // At least step |z| / 127, and a whole part of square_step: which one is returned. Far from the origin
  // there is none: 0, and the squares count for nothing (more is found near then, not less).
  float choose_unit(const Coarse& rows) {
    const float finest = rows.step * length * (1 / steps);
    float off = rows.square_step < steps * finest ? rows.square_step / finest : steps;
    off = static_cast<float>(static_cast<int32_t>(off));
    unit = off > 0 ? rows.square_step / off : finest;
    if (!(unit > 0)) unit = 1;
    return off;
  }

  static VecInt put(Vec z, int16_t* pairs) {
    const VecInt each =
        reinterpret_cast<VecInt>(z + round_to_whole) - reinterpret_cast<VecInt>(spread(round_to_whole));
    const Longs two = reinterpret_cast<Longs>(each);  // the first of them in the lower half
    *reinterpret_cast<LongsUnaligned*>(pairs) = (two & 0xff) | (two >> 24 & 0xff00);
    return each;
  }
};

template <size_t groups>
uint32_t above(const Coarse& rows, size_t first, const int16_t* z, int16_t from, int16_t floor) {
  const size_t pairs = (rows.features + 1) / 2 + 1;
  const uint8_t* bytes = rows.bytes + first * pairs * 2 * together;
  Shorts sum[groups * vectors];
  SCFE_UNROLL
  for (size_t v = 0; v < groups * vectors; ++v) sum[v] = from - Shorts{};
  for (size_t p = 0; p < pairs; ++p) {
    const Shorts by = z[p * stride] - Shorts{};
    SCFE_UNROLL
    for (size_t v = 0; v < groups * vectors; ++v) {
      const size_t at = (v / vectors * pairs + p) * 2 * together + v % vectors * SCFE_VECTOR_BYTES;
      sum[v] += products(*reinterpret_cast<const ShortsUnaligned*>(bytes + at), by);
    }
  }
  uint32_t found = 0;
  SCFE_UNROLL
  for (size_t g = 0; g < groups; ++g) {
    Shorts near = sum[g * vectors] >= floor;
    for (size_t v = 1; v < vectors; ++v) near |= sum[g * vectors + v] >= floor;
    found |= static_cast<uint32_t>(any(near)) << (first + g);
  }
  return found;
}

}  // namespace

uint32_t coarse_groups(const Coarse& rows, const float* x, float floor, int16_t* scratch) {
  const Rounded z(rows, x, scratch);
  floor = (floor + 0.5F * z.squared - rows.margin * z.length) / z.unit;
  if (floor > most) return 0;
  const auto whole = static_cast<int16_t>(floor > least ? floor : least);
  const auto from = static_cast<int16_t>(-middle * z.sum);
  uint32_t found = 0;
  size_t group = 0;
  for (; group + most_groups <= rows.groups; group += most_groups)
    found |= above<most_groups>(rows, group, scratch, from, whole);
  for (; group + 2 <= rows.groups; group += 2) found |= above<2>(rows, group, scratch, from, whole);
  for (; group < rows.groups; ++group) found |= above<1>(rows, group, scratch, from, whole);
  return found;
}

}  // namespace scfe::kernel::SCFE_ISA
