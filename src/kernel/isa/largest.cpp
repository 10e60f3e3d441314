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

// The m-th largest of each lane, where the gains lie in w.
template <size_t most>
Vec cut_of_few(size_t features, const float* gains, size_t stride) {
  Vec sorted[most];
  for (Vec& value : sorted) value = Vec{};
  for (size_t j = 0; j < features; ++j) {
    Vec next = load(gains + j * stride);
    for (Vec& value : sorted) {
      const Vec larger = max(value, next);
      next = min(value, next);
      value = larger;
    }
  }
  return sorted[most - 1];
}

Vec cut_of_many(size_t features, size_t most, const float* gains, size_t stride) {
  VecInt cut{};
  for (int32_t bit = 1 << 30; bit != 0; bit >>= 1) {
    const VecInt trial = cut | bit;
    const Vec least = reinterpret_cast<Vec>(trial);
    VecInt count{};
    for (size_t j = 0; j < features; ++j) count -= load(gains + j * stride) >= least;
    cut = count >= static_cast<int32_t>(most) ? trial : cut;
  }
  return reinterpret_cast<Vec>(cut);
}

using Cut = Vec (*)(size_t features, const float* gains, size_t stride);
constexpr Cut cuts[few + 1] = {nullptr,       cut_of_few<1>, cut_of_few<2>, cut_of_few<3>, cut_of_few<4>,
                               cut_of_few<5>, cut_of_few<6>, cut_of_few<7>, cut_of_few<8>};

void keep_largest(const Largest& task, Const v, Mutable w, size_t lane) {
  const size_t d = task.features;
  VecInt above{};
  for (size_t j = 0; j < d; ++j) {
    const Vec at = load(v.data + j * v.stride + lane);
    const Vec z = clamped(at, load(task.lo.data + j * task.lo.stride + lane),
                          load(task.hi.data + j * task.hi.stride + lane));
    const Vec gain = z * (2.0F * at - z);
    store(w.data + j * w.stride + lane, gain > 0.0F ? gain : Vec{});
  }
  const Vec cut = task.most >= d     ? Vec{}
                  : task.most <= few ? cuts[task.most](d, w.data + lane, w.stride)
                                     : cut_of_many(d, task.most, w.data + lane, w.stride);
  for (size_t j = 0; j < d; ++j) above -= load(w.data + j * w.stride + lane) > cut;
  VecInt room = static_cast<int32_t>(task.most) - above;  // for those that equal the cut
  for (size_t j = 0; j < d; ++j) {
    const Vec gain = load(w.data + j * w.stride + lane);
    const VecInt level = (gain == cut) & (room > 0) & (gain > 0.0F);
    room += level;
    const Vec z = clamped(load(v.data + j * v.stride + lane), load(task.lo.data + j * task.lo.stride + lane),
                          load(task.hi.data + j * task.hi.stride + lane));
    store(w.data + j * w.stride + lane, (level | (gain > cut)) != 0 ? z : Vec{});
  }
}

}  // namespace

void largest(const Largest& task, Const v, Mutable w, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) keep_largest(task, v, w, lane);
}

}  // namespace scfe::kernel::SCFE_ISA
