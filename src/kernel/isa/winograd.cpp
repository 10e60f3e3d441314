// Winograd's F(2x2, 3x3) and F(4x4, 3x3): a tile of 2x2 outputs takes 16 products for each pair of channels
// instead of 36, one of 4x4 takes 36 instead of 144.
//
//     v = B' x B,   m_k = sum over input channels of u_k v_k (a sweep for each k),   y = A' m A
//
// F2:  B' = 1  0 -1  0     A' = 1  1  1  0
//           0  1  1  0          0  1 -1 -1
//           0 -1  1  0
//           0  1  0 -1
//
// F4, with the points 0, +-a, +-b and infinity (kernel/convolution.h), s = a² + b², p = a² b²:
//      B' = p    0   -s   0   1  0     A' = 1  1   1   1   1   0
//           0 -+ab² -b² +-a   1  0          0  a  -a   b  -b   0
//           0 -+a²b -a² +-b   1  0          0  a²  a²  b²  b²  0
//           0    p    0  -s   0  1          0  a³ -a³  b³ -b³  1
#include "kernel/isa/loops.h"
#include "kernel/isa/peak.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

struct F2 {
  static constexpr size_t in = 4, out = 2;
  static void by_b(const Vec (&x)[in], Vec (&y)[in]) {
    y[0] = x[0] - x[2];
    y[1] = x[1] + x[2];
    y[2] = x[2] - x[1];
    y[3] = x[1] - x[3];
  }
  static void by_a(const Vec (&m)[in], Vec (&y)[out]) {
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] - m[3];
  }
};

struct F4 {
  static constexpr size_t in = 6, out = 4;
  static constexpr float a = static_cast<float>(winograd_near), b = static_cast<float>(winograd_far);
  static constexpr float aa = a * a, bb = b * b;
  static void by_b(const Vec (&x)[in], Vec (&y)[in]) {
    const Vec even_a = fma(x[2], -bb, x[4]), odd_a = fma(x[1], -bb, x[3]);
    const Vec even_b = fma(x[2], -aa, x[4]), odd_b = fma(x[1], -aa, x[3]);
    y[0] = fma(x[0], aa * bb, fma(x[2], -(aa + bb), x[4]));
    y[1] = fma(odd_a, a, even_a);
    y[2] = fma(odd_a, -a, even_a);
    y[3] = fma(odd_b, b, even_b);
    y[4] = fma(odd_b, -b, even_b);
    y[5] = fma(x[1], aa * bb, fma(x[3], -(aa + bb), x[5]));
  }
  static void by_a(const Vec (&m)[in], Vec (&y)[out]) {
    const Vec sum_a = m[1] + m[2], sum_b = m[3] + m[4], diff_a = m[1] - m[2], diff_b = m[3] - m[4];
    y[0] = m[0] + (sum_a + sum_b);
    y[1] = fma(diff_a, a, b * diff_b);
    y[2] = fma(sum_a, aa, bb * sum_b);
    y[3] = m[5] + fma(diff_a, a * aa, (b * bb) * diff_b);
  }
};

template <class F>
void transform_in(const WinogradTiles& tiles, const float* x, float* v) {
  const size_t plane = tiles.plane;
  for (size_t t = 0; t < tiles.count; ++t)
    for (size_t c = 0; c < tiles.channels; c += vec_lanes) {
      Vec half[F::in][F::in];  // [column][row]
      SCFE_UNROLL
      for (size_t j = 0; j < F::in; ++j) {
        const float* at = x + tiles.at[t] + j * tiles.channels + c;
        Vec column[F::in];
        SCFE_UNROLL
        for (size_t i = 0; i < F::in; ++i) column[i] = load(at + i * tiles.row);
        F::by_b(column, half[j]);
      }
      float* to = v + t * tiles.channels + c;
      SCFE_UNROLL
      for (size_t i = 0; i < F::in; ++i) {
        Vec line[F::in], whole[F::in];
        SCFE_UNROLL
        for (size_t j = 0; j < F::in; ++j) line[j] = half[j][i];
        F::by_b(line, whole);
        SCFE_UNROLL
        for (size_t j = 0; j < F::in; ++j) store(to + (i * F::in + j) * plane, whole[j]);
      }
    }
}

// The outputs of a tile, [row][column], for one vector of channels.
template <class F>
void outputs_of(const float* m, size_t plane, Vec bias, Vec (&y)[F::out][F::out]) {
  Vec half[F::out][F::in];
  SCFE_UNROLL
  for (size_t k = 0; k < F::in; ++k) {
    Vec column[F::in], up[F::out];
    SCFE_UNROLL
    for (size_t i = 0; i < F::in; ++i) column[i] = load(m + (i * F::in + k) * plane);
    F::by_a(column, up);
    SCFE_UNROLL
    for (size_t i = 0; i < F::out; ++i) half[i][k] = up[i];
  }
  SCFE_UNROLL
  for (size_t i = 0; i < F::out; ++i) {
    F::by_a(half[i], y[i]);
    SCFE_UNROLL
    for (size_t j = 0; j < F::out; ++j) y[i][j] += bias;
  }
}

struct Corner {
  size_t rows, columns;
};

template <class F>
void put_outputs(const Vec (&y)[F::out][F::out], Corner inside, bool relu, size_t row, size_t channels,
                 float* to) {
  for (size_t i = 0; i < inside.rows; ++i)
    for (size_t j = 0; j < inside.columns; ++j) {
      const Vec value = y[i][j];
      if (relu)
        store(to + i * row + j * channels, value < 0.0F ? Vec{} : value);
      else
        store(to + i * row + j * channels, value);
    }
}

template <class F>
void put_pooled(const Vec (&y)[F::out][F::out], Corner inside, bool relu, size_t row, size_t channels,
                float* to, uint8_t* code) {
  SCFE_UNROLL
  for (size_t i = 0; i < F::out / 2; ++i) SCFE_UNROLL
  for (size_t j = 0; j < F::out / 2; ++j) {
    if (i >= inside.rows || j >= inside.columns) continue;
    Peak peak = peak_of(y[2 * i][2 * j], 0);
    peak.meet(y[2 * i][2 * j + 1], 1);
    peak.meet(y[2 * i + 1][2 * j], 2);
    peak.meet(y[2 * i + 1][2 * j + 1], 3);
    if (relu) peak.rectify(pooled_taps);
    peak.put(to + i * row + j * channels, code + i * row + j * channels);
  }
}

template <class F>
void transform_out(const WinogradTiles& tiles, const float* m, const WinogradEnd& end, float* y) {
  const size_t plane = tiles.plane;
  const size_t side = end.code ? F::out / 2 : F::out;
  for (size_t t = 0; t < tiles.count; ++t) {
    const Corner inside{tiles.rows ? tiles.rows[t] : side, tiles.columns ? tiles.columns[t] : side};
    for (size_t c = 0; c < tiles.channels; c += vec_lanes) {
      Vec all[F::out][F::out];
      outputs_of<F>(m + t * tiles.channels + c, plane, end.bias ? load(end.bias + c) : Vec{}, all);
      if (end.code)
        put_pooled<F>(all, inside, end.relu, tiles.row, tiles.channels, y + tiles.at[t] + c,
                      end.code + end.code_at[t] + c);
      else
        put_outputs<F>(all, inside, end.relu, tiles.row, tiles.channels, y + tiles.at[t] + c);
    }
  }
}

// Six tiles by two vectors of output channels stay in registers.
constexpr size_t most_tiles = 6;
constexpr size_t width = 2 * vec_lanes;  // channels at a time; a panel holds this once or twice

template <size_t count>
void product(const WinogradProducts& all, const float* weight, const float* v, float* m, size_t channels) {
  Vec left[count], right[count];
  SCFE_UNROLL
  for (size_t t = 0; t < count; ++t) left[t] = right[t] = Vec{};
  for (size_t c = 0; c < all.in; ++c, weight += panel_width) {
    const Vec a = load(weight), b = load(weight + vec_lanes);
    SCFE_UNROLL
    for (size_t t = 0; t < count; ++t) {
      const Vec x = spread(v[t * all.in + c]);
      left[t] = fma(x, a, left[t]);
      right[t] = fma(x, b, right[t]);
    }
  }
  SCFE_UNROLL
  for (size_t t = 0; t < count; ++t) store(m + t * all.out, left[t]);
  if (channels <= vec_lanes) return;
  SCFE_UNROLL
  for (size_t t = 0; t < count; ++t) store(m + t * all.out + vec_lanes, right[t]);
}

using Product = void (*)(const WinogradProducts& all, const float* weight, const float* v, float* m,
                         size_t channels);
constexpr Product products[most_tiles + 1] = {nullptr,    product<1>, product<2>, product<3>,
                                              product<4>, product<5>, product<6>};

}  // namespace

void winograd_multiply(const WinogradProducts& all, const float* v, float* m) {
  const size_t each = panels_of(all.out) * all.in * panel_width;
  const size_t whole = all.tiles / most_tiles * most_tiles, rest = all.tiles - whole;
  for (size_t k = 0; k < winograd_products(all.side); ++k, v += all.v_plane, m += all.m_plane)
    for (size_t o = 0; o < all.out; o += width) {
      const float* weight = all.weight + k * each + o / panel_width * all.in * panel_width + o % panel_width;
      for (size_t t = 0; t < whole; t += most_tiles)
        product<most_tiles>(all, weight, v + t * all.in, m + t * all.out + o, all.out - o);
      if (rest > 0) products[rest](all, weight, v + whole * all.in, m + whole * all.out + o, all.out - o);
    }
}

void winograd_in(const WinogradTiles& tiles, const float* x, float* v) {
  tiles.side == F2::out ? transform_in<F2>(tiles, x, v) : transform_in<F4>(tiles, x, v);
}

void winograd_out(const WinogradTiles& tiles, const float* m, const WinogradEnd& end, float* y) {
  tiles.side == F2::out ? transform_out<F2>(tiles, m, end, y) : transform_out<F4>(tiles, m, end, y);
}

}  // namespace scfe::kernel::SCFE_ISA
