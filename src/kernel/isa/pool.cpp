// The largest of the pixels under a window, channel by channel, and which of them it was.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

using Codes [[gnu::vector_size(vec_lanes)]] = uint8_t;

void pool_channels(const MaxPool& pool, const float* x, const int32_t* source, float* y, uint8_t* code) {
  size_t t = 0;
  while (source[t] < 0) ++t;  // every window sees something
  Vec best = load(x + source[t]);
  VecInt first = VecInt{} + static_cast<int32_t>(t);
  for (++t; t < pool.taps; ++t) {
    if (source[t] < 0) continue;
    const Vec value = load(x + source[t]);
    const VecInt better = value > best;
    best = better ? value : best;
    first = better ? VecInt{} + static_cast<int32_t>(t) : first;
  }
  if (pool.relu) {
    first = best > 0.0F ? first : VecInt{} + static_cast<int32_t>(pool.taps);
    best = best < 0.0F ? Vec{} : best;
  }
  store(y, best);
  const Codes codes = __builtin_convertvector(first, Codes);
  __builtin_memcpy(code, &codes, sizeof(codes));
}

}  // namespace

void max_pool(const MaxPool& pool, const float* x, float* y, uint8_t* code) {
  const size_t whole = pool.channels / vec_lanes * vec_lanes;
  for (size_t p = 0; p < pool.pixels; ++p) {
    const int32_t* source = pool.source + p * pool.taps;
    for (size_t c = 0; c < whole; c += vec_lanes) pool_channels(pool, x + c, source, y + c, code + c);
    for (size_t c = whole; c < pool.channels; ++c) {
      size_t first = pool.taps;
      float best = 0;
      for (size_t t = 0; t < pool.taps; ++t)
        if (source[t] >= 0 && (first == pool.taps || x[source[t] + static_cast<ptrdiff_t>(c)] > best))
          best = x[source[t] + static_cast<ptrdiff_t>(c)], first = t;
      if (pool.relu && !(best > 0)) first = pool.taps;
      if (pool.relu && best < 0) best = 0;
      y[c] = best;
      code[c] = static_cast<uint8_t>(first);
    }
    y += pool.channels;
    code += pool.channels;
  }
}

}  // namespace scfe::kernel::SCFE_ISA
