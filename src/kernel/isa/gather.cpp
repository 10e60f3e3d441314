// Adjoints of convolutions for sparse gradients: few channels of a pixel have a gradient, and each adds its
// row of weights to the pixels that the window reads.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

// Adds two entries at a time into separate sums, which halves the chain of dependent additions.
template <size_t vectors>
void gather_chunk(const GatherTarget& target, const float* weight, float* y) {
  Vec even[vectors], odd[vectors];
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) even[v] = load(y + v * vec_lanes), odd[v] = Vec{};
  size_t n = 0;
  for (; n + 1 < target.entries; n += 2) {
    const Vec g = spread(target.entry[n].g), h = spread(target.entry[n + 1].g);
    const float *w = weight + target.entry[n].at, *u = weight + target.entry[n + 1].at;
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) {
      even[v] = fma(g, load(w + v * vec_lanes), even[v]);
      odd[v] = fma(h, load(u + v * vec_lanes), odd[v]);
    }
  }
  if (n < target.entries) {
    const Vec g = spread(target.entry[n].g);
    const float* w = weight + target.entry[n].at;
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) even[v] = fma(g, load(w + v * vec_lanes), even[v]);
  }
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) store(y + v * vec_lanes, even[v] + odd[v]);
}

template <size_t vectors>
void gather_wide(const GatherTarget& target, const float* weight, float* y) {
  Vec sum[vectors];
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) sum[v] = load(y + v * vec_lanes);
  for (size_t n = 0; n < target.entries; ++n) {
    const Vec g = spread(target.entry[n].g);
    const float* w = weight + target.entry[n].at;
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) sum[v] = fma(g, load(w + v * vec_lanes), sum[v]);
  }
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) store(y + v * vec_lanes, sum[v]);
}

// Computes some floats of the patch of one window. Four sums take turns, so that additions wait less.
template <size_t vectors>
void patch_chunk(const Patches& patches, const float* weight, const float* dy, const uint8_t* code,
                 float* patch) {
  constexpr size_t turns = 4;
  const size_t tap = patches.channels * patches.row, whole = patches.channels / turns * turns;
  Vec sum[turns][vectors] = {};
  const auto add = [&](size_t c, Vec* to) {
    const Vec g = spread(dy[c]);
    const float* w = weight + code[c] * tap + c * patches.row;
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) to[v] = fma(g, load(w + v * vec_lanes), to[v]);
  };
  for (size_t c = 0; c < whole; c += turns) SCFE_UNROLL
  for (size_t t = 0; t < turns; ++t) add(c + t, sum[t]);
  for (size_t c = whole; c < patches.channels; ++c) add(c, sum[0]);
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v)
    store(patch + v * vec_lanes, (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]));
}

using Four [[gnu::vector_size(16), gnu::aligned(4)]] = float;

void add_line(const float* from, float* to, size_t count) {
  size_t k = 0;
  for (; k + 4 <= count; k += 4) *reinterpret_cast<Four*>(to + k) += *reinterpret_cast<const Four*>(from + k);
  for (; k < count; ++k) to[k] += from[k];  // NOLINT(clang-analyzer-core.uninitialized.Assign)
}

}  // namespace

void gather(const Gather& gather, float* y) {
  constexpr size_t wide = 12,
                   together = 96;  // the first floats are summed without turns, whatever a register holds
  for (const GatherTarget* target = gather.target; target != gather.target + gather.targets; ++target) {
    float* to = y + target->to;
    size_t k = 0;
    for (; k < gather.length / together * together; k += wide * vec_lanes)
      gather_wide<wide>(*target, gather.weight + k, to + k);
    for (; k + 4 * vec_lanes <= gather.length; k += 4 * vec_lanes)
      gather_chunk<4>(*target, gather.weight + k, to + k);
    for (; k + 2 * vec_lanes <= gather.length; k += 2 * vec_lanes)
      gather_chunk<2>(*target, gather.weight + k, to + k);
    for (; k < gather.length; k += vec_lanes) gather_chunk<1>(*target, gather.weight + k, to + k);
  }
}

void gather_patches(const Patches& patches, const float* dy, const uint8_t* code, float* dx) {
  float patch[largest_patch];
  for (size_t p = 0; p < patches.windows; ++p, dy += patches.channels, code += patches.channels) {
    size_t k = 0;
    for (; k + 2 * vec_lanes <= patches.row; k += 2 * vec_lanes)
      patch_chunk<2>(patches, patches.weight + k, dy, code, patch + k);
    for (; k < patches.row; k += vec_lanes) patch_chunk<1>(patches, patches.weight + k, dy, code, patch + k);
    float* under = dx + patches.under[p * patches.step];
    for (size_t l = 0; l < patches.lines; ++l)
      add_line(patch + l * patches.line, under + patches.line_at[l], patches.line);
  }
}

}  // namespace scfe::kernel::SCFE_ISA
