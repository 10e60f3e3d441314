// The two vector steps of accelerated proximal gradient around the prox.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {

// to = z - step grad; doubt stays 0 where it was and every gradient is finite, and is no number elsewhere.
bool descend(size_t features, Const z, Const gradient, const float* step, Mutable to, float* doubt,
             size_t lanes) {
  VecInt doubtful{};
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const Vec length = load(step + lane);
    Vec not_finite = load(doubt + lane);
    for (size_t j = 0; j < features; ++j) {
      const Vec slope = load(gradient.data + j * gradient.stride + lane);
      not_finite += slope * 0.0F;
      store(to.data + j * to.stride + lane, load(z.data + j * z.stride + lane) - length * slope);
    }
    store(doubt + lane, not_finite);
    doubtful |= not_finite != 0.0F;
  }
  return any(doubtful);
}

// z = next + alpha (next - w), w = next where taken; moved = the largest move of a feature, from w or from z.
void extrapolate(const Extrapolation& e, Const next, Mutable w, Mutable z, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const Vec alpha = load(e.alpha + lane);
    const VecInt taken = load(e.taken + lane) > 0.0F;
    Vec moved{};
    for (size_t j = 0; j < e.features; ++j) {
      float *at = w.data + j * w.stride + lane, *ahead = z.data + j * z.stride + lane;
      const Vec to = load(next.data + j * next.stride + lane), from = load(at), change = to - from;
      moved = max(moved, max(abs(change), abs(to - load(ahead))));
      store(at, taken ? to : from);
      store(ahead, taken ? to + alpha * change : load(ahead));
    }
    store(e.moved + lane, taken ? moved : Vec{});
  }
}

}  // namespace scfe::kernel::SCFE_ISA
