// The prox of "at most m changes within a box", m = `most`: z = clamp(v) on the m largest gains, else 0.
//
//     gain_j = v_j² - (v_j - z_j)² = z_j (2 v_j - z_j)
//
// Ties go to the earlier feature, a gain of 0 is no change. A few: the m largest gains so far are kept sorted
// in registers, each newcomer sinking to its place. Many: the m-th largest by bisection on the bits of the
// gains, which as integers are ordered like the numbers (they are not negative).
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr size_t few = 8;

Vec clamped(Vec v, Vec lo, Vec hi) { return min(max(v, lo), hi); }

Vec gain_of(Vec v, Vec z) { return z * (2.0F * v - z); }

// Takes v into the box, to w; returns the gain, 0 for a NaN.
Vec enter(const Largest& task, Const v, Mutable w, size_t j, size_t lane) {
  const Vec at = load(v.data + j * v.stride + lane);
  const Vec z = clamped(at, load(task.lo.data + j * task.lo.stride + lane),
                        load(task.hi.data + j * task.hi.stride + lane));
  store(w.data + j * w.stride + lane, z);
  return max(gain_of(at, z), Vec{});
}

// Both return the m-th largest gain of each lane.
template <size_t most>
Vec enter_few(const Largest& task, Const v, Mutable w, size_t lane) {
  Vec sorted[most] = {};
  for (size_t j = 0; j < task.features; ++j) {
    Vec next = enter(task, v, w, j, lane);
    SCFE_UNROLL
    for (size_t k = 0; k < most; ++k) {
      const Vec larger = max(sorted[k], next);
      next = min(sorted[k], next);
      sorted[k] = larger;
    }
  }
  return sorted[most - 1];
}

Vec enter_many(const Largest& task, Const v, Mutable w, size_t lane) {
  for (size_t j = 0; j < task.features; ++j) enter(task, v, w, j, lane);
  if (task.most >= task.features) return Vec{};
  VecInt cut{};
  for (int32_t bit = 1 << 30; bit != 0; bit >>= 1) {
    const VecInt trial = cut | bit;
    const Vec least = reinterpret_cast<Vec>(trial);
    VecInt count{};
    for (size_t j = 0; j < task.features; ++j)
      count -= gain_of(load(v.data + j * v.stride + lane), load(w.data + j * w.stride + lane)) >= least;
    cut = count >= static_cast<int32_t>(task.most) ? trial : cut;
  }
  return reinterpret_cast<Vec>(cut);
}

using Enter = Vec (*)(const Largest& task, Const v, Mutable w, size_t lane);
constexpr Enter entries[few + 1] = {nullptr,      enter_few<1>, enter_few<2>, enter_few<3>, enter_few<4>,
                                    enter_few<5>, enter_few<6>, enter_few<7>, enter_few<8>};

// Where more than m gains reach the m-th largest: those above it, then the earliest that equal it.
void break_ties(const Largest& task, Const v, Mutable w, size_t lane, Vec cut) {
  VecInt room = VecInt{} + static_cast<int32_t>(task.most);
  for (size_t j = 0; j < task.features; ++j) room += enter(task, v, w, j, lane) > cut;
  for (size_t j = 0; j < task.features; ++j) {
    float* to = w.data + j * w.stride + lane;
    const Vec z = load(to), gain = gain_of(load(v.data + j * v.stride + lane), z);
    const VecInt level = (gain == cut) & (room > 0);
    room += level;
    store(to, (level | (gain > cut)) != 0 ? z : Vec{});
  }
}

void keep_largest(const Largest& task, Const v, Mutable w, size_t lane) {
  const Vec cut =
      max((task.most <= few ? entries[task.most] : enter_many)(task, v, w, lane), spread(__FLT_DENORM_MIN__));
  VecInt kept{};
  for (size_t j = 0; j < task.features; ++j) {
    float* to = w.data + j * w.stride + lane;
    const Vec z = load(to);
    const VecInt keep = gain_of(load(v.data + j * v.stride + lane), z) >= cut;
    kept -= keep;
    store(to, keep != 0 ? z : Vec{});
  }
  if (any(kept > static_cast<int32_t>(task.most))) break_ties(task, v, w, lane, cut);
}

}  // namespace

void largest(const Largest& task, Const v, Mutable w, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) keep_largest(task, v, w, lane);
}

}  // namespace scfe::kernel::SCFE_ISA
