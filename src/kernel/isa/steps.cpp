// The two vector operations of accelerated proximal gradient beside the prox: the gradient step and the
// extrapolation.
#include "kernel/isa/gradient_step.h"

namespace scfe::kernel::SCFE_ISA {

bool descend(const Descent& descent, Mutable to, size_t lanes) {
  VecInt doubtful{};
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const GradientStep stepped(descent, lane);
    Vec doubt = stepped.doubt();
    for (size_t j = 0; j < descent.features; ++j) {
      store(to.data + j * to.stride + lane, stepped.at(j));
      doubt = stepped.doubt(doubt, j);
    }
    store(descent.doubt + lane, doubt);
    doubtful |= doubt != 0.0F;
  }
  return any(doubtful);
}

namespace {

// z = next + alpha (next - w) and w = next in taken lanes; moved is the largest |next - w| or |next - z|.
template <bool watched>
void move_on(const Extrapolation& e, Const next, Mutable w, Mutable z, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const Vec alpha = load(e.alpha + lane);
    const VecInt taken = load(e.taken + lane) > 0.0F;
    Vec moved{};
    for (size_t j = 0; j < e.features; ++j) {
      float *at = w.data + j * w.stride + lane, *ahead = z.data + j * z.stride + lane;
      const Vec to = load(next.data + j * next.stride + lane), from = load(at), change = to - from;
      if constexpr (watched) moved = max(moved, max(abs(change), abs(to - load(ahead))));
      store(at, taken ? to : from);
      store(ahead, taken ? fma(alpha, change, to) : load(ahead));
    }
    if constexpr (watched) store(e.moved + lane, taken ? moved : Vec{});
  }
}

}  // namespace

void extrapolate(const Extrapolation& e, Const next, Mutable w, Mutable z, size_t lanes) {
  (e.moved ? move_on<true> : move_on<false>)(e, next, w, z, lanes);
}

}  // namespace scfe::kernel::SCFE_ISA
