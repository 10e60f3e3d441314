// y = f(W x + b) for a block of lanes. A tile of outputs by vectors of lanes stays in registers: about twelve
// sums hide the latency of the multiply-add, so few outputs take more vectors. Outputs are split into tiles
// of even size. The rows of x may be picked by a list: a convolution reads its pixels where they lie, without
// a copy. Each sum runs over the inputs in order, whatever the tile.
#include "kernel/activation.h"
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

struct Stretch {
  size_t lane, end;
};

constexpr size_t most_vectors = 8;
constexpr float nothing[most_vectors * vec_lanes] = {};  // a row of zeros: padding

// max and the gate as the epilogue: the numbers are in registers still.
struct Finish {
  bool relu;
  const float* gate;  // of the tile's first output; null: none
  size_t stride;

  Vec at(Vec sum, size_t output, size_t lane) const {
    if (relu) sum = max(Vec{}, sum);
    if (gate) sum = load(gate + output * stride + lane) > 0.0F ? sum : Vec{};
    return sum;
  }
};

template <size_t outputs, size_t vectors, bool listed>
void tile(const Linear& map, size_t first, Const x, Mutable y, Stretch lanes) {
  const float* weight = map.weight + first * map.in;
  const Finish finish{map.activation == activation_relu,
                      map.gate.data ? map.gate.data + first * map.gate.stride : nullptr, map.gate.stride};
  for (size_t lane = lanes.lane; lane < lanes.end; lane += vectors * vec_lanes) {
    Vec sum[outputs][vectors];
    SCFE_UNROLL
    for (size_t o = 0; o < outputs; ++o) {
      const Vec bias = spread(map.bias ? map.bias[first + o] : 0.0F);
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v) sum[o][v] = bias;
    }
    const float* column = x.data + lane;
    for (size_t i = 0; i < map.in; ++i, column += x.stride) {
      if (listed) {
        const int32_t row = map.rows[i];
        column = row < 0 ? nothing : x.data + static_cast<size_t>(row) * x.stride + lane;
      }
      Vec at[vectors];
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v) at[v] = load(column + v * vec_lanes);
      SCFE_UNROLL
      for (size_t o = 0; o < outputs; ++o) {
        const Vec w = spread(weight[o * map.in + i]);
        SCFE_UNROLL
        for (size_t v = 0; v < vectors; ++v) sum[o][v] += w * at[v];
      }
    }
    SCFE_UNROLL
    for (size_t o = 0; o < outputs; ++o) {
      float* to = y.data + (first + o) * y.stride + lane;
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v)
        store(to + v * vec_lanes, finish.at(sum[o][v], o, lane + v * vec_lanes));
    }
  }
}

using Tile = void (*)(const Linear& map, size_t first, Const x, Mutable y, Stretch lanes);
constexpr size_t most_outputs = 6;

struct Shape {
  Tile wide;
  size_t vectors;  // a power of two
  Tile narrow;     // two vectors
};
template <bool listed>
constexpr Shape shapes[most_outputs + 1] = {{nullptr, 2, nullptr},
                                            {tile<1, 8, listed>, 8, tile<1, 2, listed>},
                                            {tile<2, 4, listed>, 4, tile<2, 2, listed>},
                                            {tile<3, 4, listed>, 4, tile<3, 2, listed>},
                                            {tile<4, 2, listed>, 2, tile<4, 2, listed>},
                                            {tile<5, 2, listed>, 2, tile<5, 2, listed>},
                                            {tile<6, 2, listed>, 2, tile<6, 2, listed>}};

}  // namespace

void linear(const Linear& map, Const x, Mutable y, size_t lanes) {
  const size_t tiles = (map.out + most_outputs - 1) / most_outputs;
  const size_t least = map.out / (tiles > 0 ? tiles : 1), larger = map.out - tiles * least;
  constexpr size_t stretch = 64;  // as many lanes as leave the inputs in a near cache
  for (size_t lane = 0; lane < lanes; lane += stretch) {
    const size_t end = lane + stretch < lanes ? lane + stretch : lanes;
    for (size_t t = 0, first = 0; t < tiles; ++t) {
      const size_t outputs = least + (t < larger ? 1 : 0);
      const Shape& shape = map.rows ? shapes<true>[outputs] : shapes<false>[outputs];
      const size_t wide = end - ((end - lane) & (shape.vectors * vec_lanes - 1));
      shape.wide(map, first, x, y, {lane, wide});
      if (wide < end) shape.narrow(map, first, x, y, {wide, end});
      first += outputs;
    }
    if (map.activation == activation_none || map.activation == activation_relu) continue;
    for (size_t o = 0; o < map.out; ++o) {  // while they are in the nearest cache
      float* row = y.data + o * y.stride + lane;
      activate(map.activation, map.parameter, row, row, end - lane);
    }
  }
}

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes) {
  linear({out, in, weight, bias, nullptr, activation_none, 0, {}}, x, y, lanes);
}

}  // namespace scfe::kernel::SCFE_ISA
