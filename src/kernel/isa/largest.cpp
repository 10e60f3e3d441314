// The prox of "at most m changes within a box", m = `most`: z = clamp(v) on the m largest gains, else 0.
//
//     gain_j = v_j² - (v_j - z_j)² = z_j (2 v_j - z_j)
//
// Ties go to the earlier feature, and a gain of 0 is no change. For small m, the m largest gains so far stay
// sorted in registers, and each new gain is inserted in order. For large m, the m-th largest gain is found by
// bisection on the bits of the gains: they are not negative, so their bits are ordered like the numbers.
#include "kernel/isa/gradient_step.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

// v from memory; the same interface as GradientStep, which computes it.
class Stored {
 public:
  Stored(Const v, size_t lane) : v_{v.data + lane, v.stride} {}
  Vec at(size_t j) const { return load(v_.data + j * v_.stride); }
  Vec doubt() const { return Vec{}; }
  Vec doubt(Vec so_far, size_t /*j*/) const { return so_far; }

 private:
  Const v_;
};

// The box constraints of one vector of lanes.
class Bounds {
 public:
  Bounds(const Largest& task, size_t lane)
      : lo_{task.lo.data + lane, task.lo.stride}, hi_{task.hi.data + lane, task.hi.stride} {}
  Vec clamped(Vec v, size_t j) const {
    return min(max(v, load(lo_.data + j * lo_.stride)), load(hi_.data + j * hi_.stride));
  }

 private:
  Const lo_, hi_;
};

// The gain of changing to z; 0 if it is NaN.
Vec gain_of(Vec v, Vec z) { return max(z * fma(v, 2.0F, -z), Vec{}); }

template <size_t most>
struct Sorted {
  Vec gain[most] = {};
  void take(Vec next) {
    SCFE_UNROLL
    for (size_t k = 0; k < most; ++k) {
      const Vec larger = max(gain[k], next);
      next = min(gain[k], next);
      gain[k] = larger;
    }
  }
};

// The m-th largest gain of each lane, for large m; w already holds clamp(v).
Vec cut_of_many(const Largest& task, const Stored& v, Mutable w) {
  if (task.most >= task.features) return Vec{};
  VecInt cut{};
  for (int32_t bit = 1 << 30; bit != 0; bit >>= 1) {
    const VecInt trial = cut | bit;
    const Vec least = reinterpret_cast<Vec>(trial);
    VecInt count{};
    for (size_t j = 0; j < task.features; ++j)
      count -= gain_of(v.at(j), load(w.data + j * w.stride)) >= least;
    cut = count >= static_cast<int32_t>(task.most) ? trial : cut;
  }
  return reinterpret_cast<Vec>(cut);
}

// If more than m gains are at least the m-th largest, keeps those above it, then the earliest equal ones.
template <class Source>
void break_ties(const Largest& task, const Source& v, const Bounds& box, Mutable w, Vec cut) {
  VecInt room = VecInt{} + static_cast<int32_t>(task.most);
  for (size_t j = 0; j < task.features; ++j) room += gain_of(v.at(j), box.clamped(v.at(j), j)) > cut;
  for (size_t j = 0; j < task.features; ++j) {
    const Vec z = box.clamped(v.at(j), j), gain = gain_of(v.at(j), z);
    const VecInt level = (gain == cut) & (room > 0);
    room += level;
    store(w.data + j * w.stride, (level | (gain > cut)) != 0 ? z : Vec{});
  }
}

template <class Source>
void keep_largest(const Largest& task, const Source& v, const Bounds& box, Mutable w, Vec cut) {
  cut = max(cut, spread(__FLT_DENORM_MIN__));
  VecInt kept{};
  for (size_t j = 0; j < task.features; ++j) {
    const Vec at = v.at(j), z = box.clamped(at, j);
    const VecInt keep = gain_of(at, z) >= cut;
    kept -= keep;
    store(w.data + j * w.stride, keep != 0 ? z : Vec{});
  }
  if (any(kept > static_cast<int32_t>(task.most))) break_ties(task, v, box, w, cut);
}

Mutable from(Mutable rows, size_t lane) { return {rows.data + lane, rows.stride}; }

// Returns 0 for lanes whose value and gradients are finite, and NaN for others.
template <size_t most, class Source>
Vec keep_few(const Largest& task, const Source& v, const Bounds& box, Mutable w) {
  Sorted<most> sorted;
  Vec doubt = v.doubt();
  for (size_t j = 0; j < task.features; ++j) {
    const Vec at = v.at(j);
    doubt = v.doubt(doubt, j);
    sorted.take(gain_of(at, box.clamped(at, j)));
  }
  keep_largest(task, v, box, w, sorted.gain[most - 1]);
  return doubt;
}

template <size_t most>
void few(const Largest& task, Const v, Mutable w, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes)
    keep_few<most>(task, Stored(v, lane), Bounds(task, lane), from(w, lane));
}

template <size_t most>
bool few_after_step(const Descent& descent, const Largest& task, Mutable w, size_t lanes) {
  VecInt doubtful{};
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const Vec doubt = keep_few<most>(task, GradientStep(descent, lane), Bounds(task, lane), from(w, lane));
    store(descent.doubt + lane, doubt);
    doubtful |= doubt != 0.0F;
  }
  return any(doubtful);
}

void many(const Largest& task, Const v, Mutable w, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    const Stored stored(v, lane);
    const Bounds box(task, lane);
    const Mutable to = from(w, lane);
    for (size_t j = 0; j < task.features; ++j) store(to.data + j * to.stride, box.clamped(stored.at(j), j));
    keep_largest(task, stored, box, to, cut_of_many(task, stored, to));
  }
}

using Keep = void (*)(const Largest& task, Const v, Mutable w, size_t lanes);
constexpr Keep fews[few_changes + 1] = {nullptr, few<1>, few<2>, few<3>, few<4>,
                                        few<5>,  few<6>, few<7>, few<8>};
using KeepAfterStep = bool (*)(const Descent& descent, const Largest& task, Mutable w, size_t lanes);
constexpr KeepAfterStep fews_after_step[few_changes + 1] = {
    nullptr,           few_after_step<1>, few_after_step<2>, few_after_step<3>, few_after_step<4>,
    few_after_step<5>, few_after_step<6>, few_after_step<7>, few_after_step<8>};

}  // namespace

void largest(const Largest& task, Const v, Mutable w, size_t lanes) {
  (task.most <= few_changes ? fews[task.most] : many)(task, v, w, lanes);
}

bool descend_to_largest(const Descent& step, const Largest& task, Mutable w, size_t lanes) {
  return fews_after_step[task.most](step, task, w, lanes);
}

}  // namespace scfe::kernel::SCFE_ISA
