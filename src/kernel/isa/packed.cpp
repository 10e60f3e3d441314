// One point against many centres, sixteen of them at a time: the other way round from kernel/isa/mixture.cpp,
// where many points meet one centre. For sums whose terms differ from point to point.
//
//     packed_exponents:  e_i = log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²
//     packed_sum:        total += exp(e_i - peak),  moment_j += exp(e_i - peak) s_ij² (c_ij - x_j)
//     halved_sum:        both, of e_i = log_weight_i + sum_j c_ij z_j - 1/2 |z|², z = x - origin, s = 1
//
// halved_sum is the square taken apart (log_weight_i = -1/2 |c_i|²): half the work, and as good where z and c
// are small, measured from the middle of the rows. The peak rises as terms come in, and what was summed
// before is scaled to it. Groups far below the peak, or below the floor, are left out.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float lowest_exponent = -1e30F;
constexpr size_t together = 16;
constexpr size_t vectors = together / vec_lanes;
constexpr size_t most_groups = 8 / vectors;  // eight sums at once hide the latency of the multiply-add

using WordsUnaligned [[gnu::vector_size(SCFE_VECTOR_BYTES), gnu::aligned(4)]] = int32_t;

void raise_peak(PackedSum& sum, size_t features, float peak) {
  const Vec by = exp(spread(sum.peak - peak));
  sum.peak = peak;
  for (size_t i = 0; i < together; i += vec_lanes) store(sum.total + i, load(sum.total + i) * by);
  if (!sum.moment) return;
  for (size_t i = 0; i < features * together; i += vec_lanes)
    store(sum.moment + i, load(sum.moment + i) * by);
}

template <size_t count>
float greatest(const Vec* e) {
  Vec found = e[0];
  for (size_t v = 1; v < count; ++v) found = max(found, e[v]);
  float top = found[0];
  for (size_t i = 1; i < vec_lanes; ++i) top = found[i] > top ? found[i] : top;
  return top;
}

// Whether terms with that peak are worth adding.
bool admit(PackedSum& sum, size_t features, float peak) {
  if (peak < sum.peak - sum.reach || peak < sum.floor) return false;
  if (peak > sum.peak) raise_peak(sum, features, peak);
  return true;
}

// Where vector v of a run of groups lies, for feature j.
size_t place(size_t features, size_t v, size_t j) {
  return (v / vectors * features + j) * together + v % vectors * vec_lanes;
}

template <size_t groups, bool scaled>
void exponents(const Packed& packed, size_t first, const float* x, float* e) {
  const size_t offset = first * packed.features * together;
  const float* centre = packed.centres + offset;
  const float* scale = scaled ? packed.inverse_stds + offset : nullptr;
  Vec sum[groups * vectors] = {};
  for (size_t j = 0; j < packed.features; ++j) {
    for (size_t v = 0; v < groups * vectors; ++v) {
      const size_t at = place(packed.features, v, j);
      Vec difference = x[j] - load(centre + at);
      if (scaled) difference *= load(scale + at);
      sum[v] += difference * difference;
    }
  }
  const Vec floor = spread(lowest_exponent);
  for (size_t v = 0; v < groups * vectors; ++v) {
    const size_t at = first * together + v * vec_lanes;
    store(e + at, max(floor, load(packed.log_weights + at) - 0.5F * sum[v]));
  }
}

template <bool scaled>
void all_exponents(const Packed& packed, const float* x, float* e) {
  constexpr size_t pair = 2;
  size_t group = 0;
  for (; group + pair <= packed.groups; group += pair) exponents<pair, scaled>(packed, group, x, e);
  if (group < packed.groups) exponents<1, scaled>(packed, group, x, e);
}

// Sixteen centres of one feature: vector v holds those from v * vec_lanes on.
void unpack(const uint32_t* words, Vec* centres) {
  for (size_t v = 0; v < vectors / 2; ++v) {
    const VecInt both = *reinterpret_cast<const WordsUnaligned*>(words + v * vec_lanes);
    centres[v] = reinterpret_cast<Vec>(both << 16);
    centres[v + vectors / 2] = reinterpret_cast<Vec>(both & static_cast<int32_t>(0xffff0000U));
  }
}

// Sixteen rows at `words`, e their exponents. Their moment about the origin; returns what they add up to.
Vec add_halved(const Halved& rows, const uint32_t* words, Vec* e, PackedSum& sum) {
  Vec whole = {};
  for (size_t v = 0; v < vectors; ++v) whole += e[v] = exp(e[v] - sum.peak);
  if (!sum.moment) return whole;
  for (size_t j = 0; j < rows.features; ++j) {
    Vec c[vectors];
    unpack(words + j * (together / 2), c);
    Vec moment = load(sum.moment + j * together);
    for (size_t v = 0; v < vectors; ++v) moment += e[v] * c[v];
    store(sum.moment + j * together, moment);
  }
  return whole;
}

template <size_t groups>
void halved(const Halved& rows, const size_t* which, const float* x, PackedSum& sum) {
  constexpr size_t count = groups * vectors, words = together / 2;
  const size_t size = rows.features * words;
  Vec e[count], later[count], squared = {};
  SCFE_UNROLL
  for (size_t v = 0; v < count; ++v) e[v] = later[v] = Vec{};
  const auto add = [&](size_t j, Vec* to) {
    const Vec z = spread(x[j] - rows.origin[j]);
    squared += z * z;
    for (size_t g = 0; g < groups; ++g) {
      Vec c[vectors];
      unpack(rows.words + which[g] * size + j * words, c);
      for (size_t v = 0; v < vectors; ++v) to[g * vectors + v] += c[v] * z;
    }
  };
  // Few groups: two sums each, or every addition would wait for the one before.
  constexpr size_t sums = groups < most_groups ? 2 : 1;
  size_t j = 0;
  for (; j + sums <= rows.features; j += sums) {
    add(j, e);
    if (sums == 2) add(j + 1, later);
  }
  if (j < rows.features) add(j, e);
  for (size_t v = 0; v < count && sums == 2; ++v) e[v] += later[v];
  Vec top = spread(lowest_exponent);
  for (size_t v = 0; v < count; ++v) {
    const float* weight = rows.log_weights + which[v / vectors] * together + v % vectors * vec_lanes;
    e[v] = max(spread(lowest_exponent), e[v] + (load(weight) - 0.5F * squared));
    top = max(top, e[v]);
  }
  if (any(top > sum.peak)) admit(sum, rows.features, greatest<1>(&top));
  const Vec least = spread(sum.floor > sum.peak - sum.reach ? sum.floor : sum.peak - sum.reach);
  if (!any(top >= least)) return;
  Vec whole = {};
  for (size_t g = 0; g < groups; ++g) {
    VecInt worth = e[g * vectors] >= least;
    for (size_t v = 1; v < vectors; ++v) worth |= e[g * vectors + v] >= least;
    if (any(worth)) whole += add_halved(rows, rows.words + which[g] * size, e + g * vectors, sum);
  }
  store(sum.total, load(sum.total) + whole);
  for (j = 0; j < rows.features && sum.moment; ++j) {
    float* moment = sum.moment + j * together;
    store(moment, load(moment) - whole * (x[j] - rows.origin[j]));
  }
}

}  // namespace

void packed_exponents(const Packed& packed, const float* x, float* e) {
  (packed.inverse_stds ? all_exponents<true> : all_exponents<false>)(packed, x, e);
}

void packed_sum(const Packed& packed, const float* x, const float* e, PackedSum& sum) {
  const size_t size = packed.features * together;
  for (size_t group = 0; group < packed.groups; ++group) {
    Vec weight[vectors];
    for (size_t v = 0; v < vectors; ++v) weight[v] = load(e + group * together + v * vec_lanes);
    if (!admit(sum, packed.features, greatest<vectors>(weight))) continue;
    Vec whole = {};
    for (size_t v = 0; v < vectors; ++v) whole += weight[v] = exp(weight[v] - sum.peak);
    store(sum.total, load(sum.total) + whole);
    if (!sum.moment) continue;
    const float* centre = packed.centres + group * size;
    const float* scale = packed.inverse_stds ? packed.inverse_stds + group * size : nullptr;
    for (size_t j = 0; j < packed.features; ++j) {
      Vec moment = load(sum.moment + j * together);
      for (size_t v = 0; v < vectors; ++v) {
        const size_t at = place(packed.features, v, j);
        Vec difference = load(centre + at) - x[j];
        if (scale) difference *= load(scale + at) * load(scale + at);
        moment += weight[v] * difference;
      }
      store(sum.moment + j * together, moment);
    }
  }
}

void halved_sum(const Halved& rows, const float* x, PackedSum& sum) {
  size_t which[32], count = 0, i = 0;
  for (uint32_t left = rows.chosen; left != 0; left &= left - 1)
    which[count++] = static_cast<size_t>(__builtin_ctz(left));
  for (; i + most_groups <= count; i += most_groups) halved<most_groups>(rows, which + i, x, sum);
  for (; i + 2 <= count; i += 2) halved<2>(rows, which + i, x, sum);
  for (; i < count; ++i) halved<1>(rows, which + i, x, sum);
}

}  // namespace scfe::kernel::SCFE_ISA
