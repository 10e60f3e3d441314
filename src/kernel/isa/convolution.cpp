// Convolutions by tiles: the sums of six pixels by two vectors of output channels stay in registers, and each
// number of a pixel is multiplied with two vectors of weights. If a 2x2 max-pool follows, a tile is the four
// pixels of a window, and only their maximum is written.
#include "kernel/isa/loops.h"
#include "kernel/isa/peak.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr size_t tile_pixels = 6;
constexpr size_t half = 2 * vec_lanes;  // channels of a tile; a panel holds one or two tiles

// A NaN stays NaN.
Vec relu(Vec x) { return x < 0.0F ? Vec{} : x; }

struct Pixels {
  const float* x[tile_pixels];
  float* y[tile_pixels];
};

template <size_t count>
void tile(const Sweep& sweep, const float* weight, const float* bias, const Pixels& at, size_t channels) {
  Vec left[count], right[count];
  SCFE_UNROLL
  for (size_t p = 0; p < count; ++p) {
    left[p] = bias ? load(bias) : Vec{};
    right[p] = bias ? load(bias + vec_lanes) : Vec{};
  }
  const int32_t* offset = sweep.at;
  for (size_t k = 0; k < sweep.terms; ++k, weight += panel_width) {
    const Vec a = load(weight), b = load(weight + vec_lanes);
    const ptrdiff_t from = offset[k];
    SCFE_UNROLL
    for (size_t p = 0; p < count; ++p) {
      const Vec x = spread(at.x[p][from]);
      left[p] = fma(x, a, left[p]);
      right[p] = fma(x, b, right[p]);
    }
  }
  if (sweep.relu) SCFE_UNROLL
  for (size_t p = 0; p < count; ++p) left[p] = relu(left[p]), right[p] = relu(right[p]);
  if (channels >= half) {
    SCFE_UNROLL
    for (size_t p = 0; p < count; ++p) store(at.y[p], left[p]), store(at.y[p] + vec_lanes, right[p]);
    return;
  }
  SCFE_UNROLL
  for (size_t p = 0; p < count; ++p) {
    float all[half];
    store(all, left[p]);
    store(all + vec_lanes, right[p]);
    for (size_t o = 0; o < channels; ++o) at.y[p][o] = all[o];
  }
}

using Tile = void (*)(const Sweep& sweep, const float* weight, const float* bias, const Pixels& at,
                      size_t channels);
constexpr Tile tiles[tile_pixels + 1] = {nullptr, tile<1>, tile<2>, tile<3>, tile<4>, tile<5>, tile<6>};

// Computes all pixels of all images for the channels of one tile.
void sweep_channels(const Sweep& sweep, const ImageBatch& batch, size_t first) {
  const size_t panel = first / panel_width, inside = first % panel_width;
  const float* weight = sweep.weight;  // may be null if there are no terms
  if (sweep.terms > 0) weight += panel * sweep.terms * panel_width + inside;
  const float* bias = sweep.bias ? sweep.bias + first : nullptr;
  const size_t channels = sweep.out - first < half ? sweep.out - first : half;
  Pixels at;
  size_t filled = 0;
  for (size_t image = 0; image < batch.images; ++image)
    for (size_t p = 0; p < sweep.pixels; ++p) {
      at.x[filled] = batch.x + image * batch.x_stride + sweep.source[p];
      at.y[filled] = batch.y + image * batch.y_stride + sweep.target[p] + first;
      if (++filled < tile_pixels) continue;
      tile<tile_pixels>(sweep, weight, bias, at, channels);
      filled = 0;
    }
  if (filled > 0) tiles[filled](sweep, weight, bias, at, channels);
}

// Computes the four pixels of a pool window and their maximum in registers.
void pooled_tile(const Sweep& sweep, size_t first, const float* const* x, float* y, uint8_t* code) {
  const size_t panel = first / panel_width;
  const float* weight = sweep.weight + panel * sweep.terms * panel_width + first % panel_width;
  Vec left[pooled_taps], right[pooled_taps];
  SCFE_UNROLL
  for (size_t t = 0; t < pooled_taps; ++t) {
    left[t] = sweep.bias ? load(sweep.bias + first) : Vec{};
    right[t] = sweep.bias ? load(sweep.bias + first + vec_lanes) : Vec{};
  }
  for (size_t k = 0; k < sweep.terms; ++k, weight += panel_width) {
    const Vec a = load(weight), b = load(weight + vec_lanes);
    const ptrdiff_t from = sweep.at[k];
    SCFE_UNROLL
    for (size_t t = 0; t < pooled_taps; ++t) {
      const Vec value = spread(x[t][from]);
      left[t] = fma(value, a, left[t]);
      right[t] = fma(value, b, right[t]);
    }
  }
  Peak one = peak_of(left[0], 0), other = peak_of(right[0], 0);
  SCFE_UNROLL
  for (size_t t = 1; t < pooled_taps; ++t) one.meet(left[t], t), other.meet(right[t], t);
  if (sweep.relu) one.rectify(pooled_taps), other.rectify(pooled_taps);
  if (sweep.out - first >= half) {
    one.put(y + first, code + first);
    other.put(y + first + vec_lanes, code + first + vec_lanes);
    return;
  }
  float values[half];
  uint8_t codes[half];
  one.put(values, codes);
  other.put(values + vec_lanes, codes + vec_lanes);
  for (size_t o = first; o < sweep.out; ++o) y[o] = values[o - first], code[o] = codes[o - first];
}

}  // namespace

void sweep(const Sweep& sweep, const ImageBatch& batch) {
  for (size_t first = 0; first < sweep.out; first += half) sweep_channels(sweep, batch, first);
}

void pooled_sweep(const Sweep& sweep, const float* x, float* y, uint8_t* code) {
  for (size_t p = 0; p < sweep.pixels; p += pooled_taps) {
    const float* under[pooled_taps];
    SCFE_UNROLL
    for (size_t t = 0; t < pooled_taps; ++t) under[t] = x + sweep.source[p + t];
    const int32_t to = sweep.target[p / pooled_taps];
    for (size_t first = 0; first < sweep.out; first += half)
      pooled_tile(sweep, first, under, y + to, code + to);
  }
}

}  // namespace scfe::kernel::SCFE_ISA
