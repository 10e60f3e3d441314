// Winograd's F(2x2, 3x3): a tile of 2x2 outputs takes 16 products for each pair of channels instead of 36.
//
//     v = B' x B,   m_k = sum over input channels of u_k v_k (a sweep for each of the 16),   y = A' m A
//
//     B' = 1  0 -1  0     A' = 1  1  1  0
//          0  1  1  0          0  1 -1 -1
//          0 -1  1  0
//          0  1  0 -1
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr size_t side = 4, out_side = 2;

struct Four {
  Vec a, b, c, d;
};
Four by_b(Four x) { return {x.a - x.c, x.b + x.c, x.c - x.b, x.b - x.d}; }

}  // namespace

void winograd_in(const WinogradTiles& tiles, const float* x, float* v) {
  const size_t plane = tiles.count * tiles.channels;
  for (size_t t = 0; t < tiles.count; ++t)
    for (size_t c = 0; c < tiles.channels; c += vec_lanes) {
      Four rows[side];
      for (size_t j = 0; j < side; ++j) {
        const float* at = x + tiles.at[t] + j * tiles.channels + c;
        rows[j] = by_b({load(at), load(at + tiles.row), load(at + 2 * tiles.row), load(at + 3 * tiles.row)});
      }
      float* to = v + t * tiles.channels + c;
      const auto finish = [&](size_t k, Four line) {
        line = by_b(line);
        store(to + (k * side) * plane, line.a);
        store(to + (k * side + 1) * plane, line.b);
        store(to + (k * side + 2) * plane, line.c);
        store(to + (k * side + 3) * plane, line.d);
      };
      finish(0, {rows[0].a, rows[1].a, rows[2].a, rows[3].a});
      finish(1, {rows[0].b, rows[1].b, rows[2].b, rows[3].b});
      finish(2, {rows[0].c, rows[1].c, rows[2].c, rows[3].c});
      finish(3, {rows[0].d, rows[1].d, rows[2].d, rows[3].d});
    }
}

void winograd_out(const WinogradTiles& tiles, const float* m, const float* bias, bool relu, float* y) {
  const size_t plane = tiles.count * tiles.channels;
  for (size_t t = 0; t < tiles.count; ++t) {
    const size_t rows = tiles.rows ? tiles.rows[t] : out_side,
                 columns = tiles.columns ? tiles.columns[t] : out_side;
    for (size_t c = 0; c < tiles.channels; c += vec_lanes) {
      const float* from = m + t * tiles.channels + c;
      Vec upper[side], lower[side];
      for (size_t k = 0; k < side; ++k) {
        const Vec a = load(from + k * plane), b = load(from + (side + k) * plane);
        const Vec p = load(from + (2 * side + k) * plane), q = load(from + (3 * side + k) * plane);
        upper[k] = a + b + p;
        lower[k] = b - p - q;
      }
      const Vec offset = bias ? load(bias + c) : Vec{};
      for (size_t i = 0; i < rows; ++i) {
        const Vec* line = i == 0 ? upper : lower;
        Vec left = line[0] + line[1] + line[2] + offset, right = line[1] - line[2] - line[3] + offset;
        if (relu) left = left < 0.0F ? Vec{} : left, right = right < 0.0F ? Vec{} : right;
        float* to = y + tiles.at[t] + i * tiles.row + c;
        store(to, left);
        if (columns > 1) store(to + tiles.channels, right);
      }
    }
  }
}

}  // namespace scfe::kernel::SCFE_ISA
