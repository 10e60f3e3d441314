// y = W x + b for a block of lanes: six outputs by two vectors of lanes stay in registers (twelve sums
// hide the latency of the multiply-add; 15 of the 16 registers of x86-64 are in use).
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

using Tile = void (*)(size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lane);
constexpr size_t tile_rows = 6;
constexpr Tile tiles[tile_rows + 1] = {nullptr, tile<1>, tile<2>, tile<3>, tile<4>, tile<5>, tile<6>};

}  // namespace

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += 2 * vec_lanes)
    for (size_t o = 0; o < out; o += tile_rows) {
      const size_t rows = out - o < tile_rows ? out - o : tile_rows;
      const Mutable to{y.data + o * y.stride, y.stride};
      tiles[rows](in, weight + o * in, bias ? bias + o : nullptr, x, to, lane);
    }
}

}  // namespace scfe::kernel::SCFE_ISA
