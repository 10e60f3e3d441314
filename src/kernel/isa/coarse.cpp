// Finds the rows that may be within reach of a point, from rows quantised to four bits per number:
//
//     sum_j table_j[level of the row in j] < 255,   table_j[k] = 255 / reach · 1/2 (x_j - level_jk)²
//
// or |x_j - level_jk| instead of half the square. The sum saturates at 255, so a byte is enough: 32 rows of
// one feature take two instructions, a look-up in sixteen bytes and an addition. The rows are read once for
// several points.
#include "kernel/coarse.h"

#include "kernel/isa/loops.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float too_far = 255;

#if defined(__AVX2__)

// Stores sixteen numbers from 0 to 255 as bytes.
void store_bytes(const VecInt* numbers, uint8_t* to) {
  const __m256i mixed =
      _mm256_packs_epi32(reinterpret_cast<__m256i>(numbers[0]), reinterpret_cast<__m256i>(numbers[1]));
  const __m256i words = _mm256_permute4x64_epi64(mixed, 0xd8);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

struct Codes {
  __m256i all;
  explicit Codes(const uint8_t* from) : all(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))) {}
  __m256i first() const { return _mm256_and_si256(all, _mm256_set1_epi8(15)); }
  __m256i second() const { return _mm256_and_si256(_mm256_srli_epi16(all, 4), _mm256_set1_epi8(15)); }
};

struct Table {
  __m256i twice;
  explicit Table(const uint8_t* from)
      : twice(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)))) {}
};

struct Distances {
  __m256i sum = _mm256_setzero_si256();
  void add(Table table, __m256i levels) {
    sum = _mm256_adds_epu8(sum, _mm256_shuffle_epi8(table.twice, levels));
  }
  uint32_t near() const {
    return ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(sum, _mm256_set1_epi8(-1))));
  }
};

#else

void store_bytes(const VecInt* numbers, uint8_t* to) {
  int32_t whole[coarse_levels];
  __builtin_memcpy(whole, numbers, sizeof(whole));
  for (size_t k = 0; k < coarse_levels; ++k) to[k] = static_cast<uint8_t>(whole[k]);
}

struct Levels {
  uint8_t of[coarse_rows];
};

struct Codes {
  const uint8_t* all;
  explicit Codes(const uint8_t* from) : all(from) {}
  Levels first() const {
    Levels levels;
    for (size_t i = 0; i < coarse_rows; ++i) levels.of[i] = all[i] & 15;
    return levels;
  }
  Levels second() const {
    Levels levels;
    for (size_t i = 0; i < coarse_rows; ++i) levels.of[i] = all[i] >> 4;
    return levels;
  }
};

struct Table {
  const uint8_t* once;
  explicit Table(const uint8_t* from) : once(from) {}
};

struct Distances {
  uint8_t sum[coarse_rows] = {};
#if defined(__ARM_NEON)
  void add(Table table, const Levels& levels) {
    for (size_t i = 0; i < coarse_rows; i += coarse_levels)
      vst1q_u8(sum + i,
               vqaddq_u8(vld1q_u8(sum + i), vqtbl1q_u8(vld1q_u8(table.once), vld1q_u8(levels.of + i))));
  }
#else
  void add(Table table, const Levels& levels) {
    for (size_t i = 0; i < coarse_rows; ++i) {
      const int more = sum[i] + table.once[levels.of[i]];
      sum[i] = static_cast<uint8_t>(more < 255 ? more : 255);
    }
  }
#endif
  uint32_t near() const {
    uint32_t found = 0;
    for (size_t i = 0; i < coarse_rows; ++i) found |= static_cast<uint32_t>(sum[i] < 255) << i;
    return found;
  }
};

#endif

template <size_t points, size_t blocks>
void look(const Coarse& rows, size_t first, const uint8_t* const* tables, uint32_t* near) {
  const size_t pairs = coarse_pairs(rows.features);
  const uint8_t* codes = rows.codes + first * pairs * coarse_rows;
  Distances sum[points][blocks];
  for (size_t p = 0; p < pairs; ++p) {
    SCFE_UNROLL
    for (size_t b = 0; b < blocks; ++b) {
      const Codes levels(codes + (b * pairs + p) * coarse_rows);
      SCFE_UNROLL
      for (size_t i = 0; i < points; ++i) {
        const uint8_t* table = tables[i] + p * 2 * coarse_levels;
        sum[i][b].add(Table(table), levels.first());
        sum[i][b].add(Table(table + coarse_levels), levels.second());
      }
    }
  }
  for (size_t i = 0; i < points; ++i)
    for (size_t b = 0; b < blocks; ++b) near[i * rows.blocks + first + b] = sum[i][b].near();
}

template <size_t points>
void look_at_all(const Coarse& rows, const uint8_t* const* tables, uint32_t* near) {
  size_t block = 0;
  for (; block + 2 <= rows.blocks; block += 2) look<points, 2>(rows, block, tables, near);
  if (block < rows.blocks) look<points, 1>(rows, block, tables, near);
}

}  // namespace

// Rounding errors differ from feature to feature, so over many features they average out.
void coarse_table(size_t features, const float* levels, const float* x, Distance distance, float reach,
                  uint8_t* table) {
  const bool absolute = distance == Distance::absolute;
  const float by = (absolute ? 1.0F : 0.5F) * too_far / reach;
  float part = 0.5F;
  for (size_t j = 0; j < features; ++j) {
    VecInt parts[coarse_levels / vec_lanes];
    SCFE_UNROLL
    for (size_t v = 0; v < coarse_levels / vec_lanes; ++v) {
      const Vec off = load(levels + j * coarse_levels + v * vec_lanes) - x[j];
      parts[v] = __builtin_convertvector(min(spread(too_far), fma(absolute ? abs(off) : off * off, by, part)),
                                         VecInt);
    }
    store_bytes(parts, table + j * coarse_levels);
    part += 0.618034F;
    if (part >= 1) part -= 1;
  }
  for (size_t i = features * coarse_levels; i < coarse_table_bytes(features); ++i) table[i] = 0;
}

void coarse_near(const Coarse& rows, const uint8_t* const* tables, size_t points, uint32_t* near) {
  size_t i = 0;
  for (; i + 3 <= points; i += 3) look_at_all<3>(rows, tables + i, near + i * rows.blocks);
  if (i + 2 == points) look_at_all<2>(rows, tables + i, near + i * rows.blocks);
  if (i + 1 == points) look_at_all<1>(rows, tables + i, near + i * rows.blocks);
}

}  // namespace scfe::kernel::SCFE_ISA
