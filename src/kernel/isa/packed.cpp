// Compares one point with many centres, sixteen at a time, for sums whose terms differ from point to point.
// In kernel/isa/mixture.cpp it is the other way round: many points are compared with one centre.
//
//     packed_exponents:  e_i = log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²
//     packed_sum:        total += exp(e_i - peak),  moment_j += exp(e_i - peak) s_ij² (c_ij - x_j)
//
// When a later term raises the peak, the earlier sums are rescaled. Groups far below the peak, or below the
// floor, are left out.
#include "kernel/isa/loops.h"
#include "kernel/isa/partial_sums.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float lowest_exponent = -1e30F;
constexpr size_t together = 16;
constexpr size_t vectors = together / vec_lanes;

void raise_peak(PackedSum& sum, size_t features, float peak) {
  const Vec by = exp(spread(sum.peak - peak));
  sum.peak = peak;
  for (size_t i = 0; i < together; i += vec_lanes) store(sum.total + i, load(sum.total + i) * by);
  if (!sum.moment) return;
  for (size_t i = 0; i < features * together; i += vec_lanes)
    store(sum.moment + i, load(sum.moment + i) * by);
}

float greatest(const Vec* e) {
  Vec found = e[0];
  for (size_t v = 1; v < vectors; ++v) found = max(found, e[v]);
  float top = found[0];
  for (size_t i = 1; i < vec_lanes; ++i) top = found[i] > top ? found[i] : top;
  return top;
}

bool reaches(const Vec* e, float least) {
  VecInt found = e[0] >= least;
  for (size_t v = 1; v < vectors; ++v) found |= e[v] >= least;
  return any(found);
}

// Offset of vector v of a run of groups, for feature j.
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
      sum[v] = fma(difference, difference, sum[v]);
    }
  }
  const Vec floor = spread(lowest_exponent);
  for (size_t v = 0; v < groups * vectors; ++v) {
    const size_t at = first * together + v * vec_lanes;
    store(e + at, max(floor, fma(sum[v], -0.5F, load(packed.log_weights + at))));
  }
}

template <bool scaled>
void all_exponents(const Packed& packed, const float* x, float* e) {
  constexpr size_t pair = 2;
  size_t group = 0;
  for (; group + pair <= packed.groups; group += pair) exponents<pair, scaled>(packed, group, x, e);
  if (group < packed.groups) exponents<1, scaled>(packed, group, x, e);
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
    if (!reaches(weight, sum.floor > sum.peak - sum.reach ? sum.floor : sum.peak - sum.reach)) continue;
    if (reaches(weight, sum.peak)) raise_peak(sum, packed.features, greatest(weight));
    PartialSums whole;
    for (size_t v = 0; v < vectors; ++v) whole.part[v % sum_vectors] += weight[v] = exp(weight[v] - sum.peak);
    for (size_t p = 0; p < sum_vectors; ++p) {
      float* total = sum.total + p * vec_lanes;
      store(total, load(total) + whole.part[p]);
    }
    if (!sum.moment) continue;
    const float* centre = packed.centres + group * size;
    const float* scale = packed.inverse_stds ? packed.inverse_stds + group * size : nullptr;
    for (size_t j = 0; j < packed.features; ++j) {
      for (size_t p = 0; p < sum_vectors; ++p) {
        float* to = sum.moment + j * together + p * vec_lanes;
        Vec moment = load(to);
        for (size_t v = p; v < vectors; v += sum_vectors) {
          const size_t at = place(packed.features, v, j);
          Vec difference = load(centre + at) - x[j];
          if (scale) difference *= load(scale + at) * load(scale + at);
          moment = fma(weight[v], difference, moment);
        }
        store(to, moment);
      }
    }
  }
}

}  // namespace scfe::kernel::SCFE_ISA
