// y = W x + b for a block of lanes: four outputs by sixteen lanes stay in registers.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

template <size_t rows>
void tile(size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lane) {
  Vec left[rows], right[rows];
  for (size_t o = 0; o < rows; ++o) left[o] = right[o] = spread(bias ? bias[o] : 0.0F);
  for (size_t i = 0; i < in; ++i) {
    const float* column = x.data + i * x.stride + lane;
    const Vec a = load(column), b = load(column + vec_lanes);
    for (size_t o = 0; o < rows; ++o) {
      const Vec w = spread(weight[o * in + i]);
      left[o] += w * a;
      right[o] += w * b;
    }
  }
  for (size_t o = 0; o < rows; ++o) {
    store(y.data + o * y.stride + lane, left[o]);
    store(y.data + o * y.stride + lane + vec_lanes, right[o]);
  }
}

}  // namespace

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += 2 * vec_lanes) {
    size_t o = 0;
    const auto rows = [&](size_t first) { return Mutable{y.data + first * y.stride, y.stride}; };
    const auto offset = [&](size_t first) { return bias ? bias + first : nullptr; };
    for (; o + 4 <= out; o += 4) tile<4>(in, weight + o * in, offset(o), x, rows(o), lane);
    for (; o < out; ++o) tile<1>(in, weight + o * in, offset(o), x, rows(o), lane);
  }
}

}  // namespace scfe::kernel::SCFE_ISA
