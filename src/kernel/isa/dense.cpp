// y = f(W x + b) for a block of lanes. The sums of a tile (some outputs by some vectors of lanes) stay in
// registers. About twelve sums hide the latency of the multiply-add, so a tile with few outputs has more
// vectors. If the number of vectors is odd, the last three form one tile. Outputs are split into tiles of
// even size. A list may pick the rows of x, so that a convolution reads its pixels in place, without a copy.
// Each sum runs over the inputs in order, independent of the tile.
#include "kernel/activation.h"
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

struct Stretch {
  size_t lane, end;
};

constexpr size_t most_vectors = 8;
constexpr float nothing[most_vectors * vec_lanes] = {};  // a row of zeros: padding

// What is applied to a sum before it is stored.
enum class End { plain, relu, gate };

template <End end>
Vec ended(const Linear& map, Vec sum, size_t output, size_t lane) {
  if constexpr (end == End::relu) return max(Vec{}, sum);
  if constexpr (end == End::gate)
    return load(map.gate.data + output * map.gate.stride + lane) > 0.0F ? sum : Vec{};
  return sum;
}

// The range [first, last) of outputs.
struct Outputs {
  size_t first, last;
};

template <size_t outputs, size_t vectors, bool listed, End end>
void tile(const Linear& map, Outputs span, Const x, Mutable y, Stretch lanes) {
  for (size_t first = span.first; first < span.last; first += outputs) {
    const float* weight = map.weight + first * map.in;
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
          for (size_t v = 0; v < vectors; ++v) sum[o][v] = fma(w, at[v], sum[o][v]);
        }
      }
      SCFE_UNROLL
      for (size_t o = 0; o < outputs; ++o) {
        float* to = y.data + (first + o) * y.stride + lane;
        SCFE_UNROLL
        for (size_t v = 0; v < vectors; ++v)
          store(to + v * vec_lanes, ended<end>(map, sum[o][v], first + o, lane + v * vec_lanes));
      }
    }
  }
}

using Tile = void (*)(const Linear& map, Outputs span, Const x, Mutable y, Stretch lanes);

struct Shape {
  Tile wide;
  size_t vectors;  // a power of two
  Tile narrow;     // for the remaining lanes
};
template <bool listed, End end>
constexpr Shape even[] = {{nullptr, 2, nullptr},
                          {tile<1, 8, listed, end>, 8, tile<1, 2, listed, end>},
                          {tile<2, 4, listed, end>, 4, tile<2, 2, listed, end>},
                          {tile<3, 4, listed, end>, 4, tile<3, 2, listed, end>},
                          {tile<4, 2, listed, end>, 2, nullptr},
                          {tile<5, 2, listed, end>, 2, nullptr},
                          {tile<6, 2, listed, end>, 2, nullptr}};
template <bool listed, End end>
constexpr Shape three[] = {{nullptr, 4, nullptr},
                           {nullptr, 4, tile<1, 3, listed, end>},
                           {nullptr, 4, tile<2, 3, listed, end>},
                           {nullptr, 4, tile<3, 3, listed, end>},
                           {nullptr, 4, tile<4, 3, listed, end>}};
template <bool listed, End end>
constexpr Shape one[] = {{nullptr, 1, nullptr},
                         {tile<1, 1, listed, end>, 1, nullptr},
                         {tile<2, 1, listed, end>, 1, nullptr},
                         {tile<3, 1, listed, end>, 1, nullptr},
                         {tile<4, 1, listed, end>, 1, nullptr},
                         {tile<5, 1, listed, end>, 1, nullptr},
                         {tile<6, 1, listed, end>, 1, nullptr}};

template <bool listed, End end>
const Shape* shapes_for(size_t odd) {
  return odd == 0 ? even<listed, end> : odd == 1 ? one<listed, end> : three<listed, end>;
}
template <bool listed>
const Shape* shapes_for(const Linear& map, size_t odd) {
  if (map.gate.data) return shapes_for<listed, End::gate>(odd);
  return map.activation == activation_relu ? shapes_for<listed, End::relu>(odd)
                                           : shapes_for<listed, End::plain>(odd);
}

void run(const Shape& shape, const Linear& map, Outputs span, Const x, Mutable y, Stretch lanes) {
  const size_t wide = lanes.end - ((lanes.end - lanes.lane) & (shape.vectors * vec_lanes - 1));
  if (lanes.lane < wide) shape.wide(map, span, x, y, {lanes.lane, wide});
  if (wide < lanes.end) shape.narrow(map, span, x, y, {wide, lanes.end});
}

// odd: the number of vectors of the last tile if the lanes have an odd number of vectors, else 0.
void run(const Linear& map, Const x, Mutable y, Stretch lanes, size_t odd) {
  const Shape* shapes = map.rows ? shapes_for<true>(map, odd) : shapes_for<false>(map, odd);
  const size_t most = odd == 3 ? 4 : 6, tiles = (map.out + most - 1) / most;
  size_t least = most;  // becomes map.out / tiles; a division would take as long as a small tile
  while (tiles * least > map.out) --least;
  const size_t border = (map.out - tiles * least) * (least + 1);
  if (border > 0) run(shapes[least + 1], map, {0, border}, x, y, lanes);
  run(shapes[least], map, {border, map.out}, x, y, lanes);
}

}  // namespace

void linear(const Linear& map, Const x, Mutable y, size_t lanes) {
  if (map.out == 0) return;
  constexpr size_t stretch = 64;  // with this many lanes the inputs stay in a near cache
  for (size_t lane = 0, end = 0; lane < lanes; lane = end) {
    end = lanes - lane < stretch + stretch / 4 ? lanes : lane + stretch;
    const size_t vectors = (end - lane) / vec_lanes, odd = vectors % 2 == 0 ? 0 : vectors == 1 ? 1 : 3;
    const size_t from = end - odd * vec_lanes;
    if (lane < from) run(map, x, y, {lane, from}, 0);
    if (odd > 0) run(map, x, y, {from, end}, odd);
    if (map.activation == activation_none || map.activation == activation_relu) continue;
    for (size_t o = 0; o < map.out; ++o) {  // now, while the sums are in the nearest cache
      float* row = y.data + o * y.stride + lane;
      activate(map.activation, map.parameter, row, row, end - lane);
    }
  }
}

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes) {
  linear({out, in, weight, bias, nullptr, activation_none, 0, {}}, x, y, lanes);
}

}  // namespace scfe::kernel::SCFE_ISA
