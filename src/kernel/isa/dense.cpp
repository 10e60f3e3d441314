// y = f(W x + b) for a block of lanes: six outputs by two vectors of lanes stay in registers (twelve sums
// hide the latency of the multiply-add; 15 of the 16 registers of x86-64 are in use). The rows of x may be
// picked by a list: a convolution reads its pixels where they lie, without a copy.
#include "kernel/activation.h"
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float nothing[2 * vec_lanes] = {};  // a row of zeros: padding

template <size_t outputs, bool listed>
void tile(const Linear& map, size_t first, Const x, Mutable y, size_t lane) {
  const float* weight = map.weight + first * map.in;
  Vec left[outputs], right[outputs];
  for (size_t o = 0; o < outputs; ++o) left[o] = right[o] = spread(map.bias ? map.bias[first + o] : 0.0F);
  for (size_t i = 0; i < map.in; ++i) {
    const float* column = x.data + i * x.stride + lane;
    if (listed) {
      const int32_t row = map.rows[i];
      column = row < 0 ? nothing : x.data + static_cast<size_t>(row) * x.stride + lane;
    }
    const Vec a = load(column), b = load(column + vec_lanes);
    for (size_t o = 0; o < outputs; ++o) {
      const Vec w = spread(weight[o * map.in + i]);
      left[o] += w * a;
      right[o] += w * b;
    }
  }
  for (size_t o = 0; o < outputs; ++o) {
    store(y.data + (first + o) * y.stride + lane, left[o]);
    store(y.data + (first + o) * y.stride + lane + vec_lanes, right[o]);
  }
}

using Tile = void (*)(const Linear& map, size_t first, Const x, Mutable y, size_t lane);
constexpr size_t tile_rows = 6;
template <bool listed>
constexpr Tile tiles[tile_rows + 1] = {nullptr,         tile<1, listed>, tile<2, listed>, tile<3, listed>,
                                       tile<4, listed>, tile<5, listed>, tile<6, listed>};

}  // namespace

void linear(const Linear& map, Const x, Mutable y, size_t lanes) {
  const Tile* choice = map.rows ? tiles<true> : tiles<false>;
  for (size_t lane = 0; lane < lanes; lane += 2 * vec_lanes) {
    for (size_t o = 0; o < map.out; o += tile_rows)
      choice[map.out - o < tile_rows ? map.out - o : tile_rows](map, o, x, y, lane);
    if (map.activation == activation_none) continue;
    for (size_t o = 0; o < map.out; ++o) {  // while they are in the nearest cache
      float* row = y.data + o * y.stride + lane;
      activate(map.activation, map.parameter, row, row, 2 * vec_lanes);
    }
  }
}

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes) {
  linear({out, in, weight, bias, nullptr, activation_none, 0}, x, y, lanes);
}

}  // namespace scfe::kernel::SCFE_ISA
