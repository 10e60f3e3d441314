// The largest pixel of a window, channel by channel, and which tap it was.
#include "kernel/isa/loops.h"
#include "kernel/isa/peak.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

void pool_channels(const MaxPool& pool, const float* x, const int32_t* source, float* y, uint8_t* code) {
  size_t t = 0;
  while (source[t] < 0) ++t;  // every window has a tap outside of the padding
  Peak peak = peak_of(load(x + source[t]), t);
  for (++t; t < pool.taps; ++t)
    if (source[t] >= 0) peak.meet(load(x + source[t]), t);
  if (pool.relu) peak.rectify(pool.taps);
  peak.put(y, code);
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
