// The tile of a convolution: six pixels by two vectors of output channels stay in registers, one number of
// each pixel is spread against two vectors of weights. And its adjoint for sparse gradients: few channels of
// a pixel, each adds its row of weights to what lies under the window.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr size_t tile_pixels = 6;
constexpr size_t half = 2 * vec_lanes;  // channels of a tile; a panel holds one or two

// NaN stays.
Vec relu(Vec x) { return x < 0.0F ? Vec{} : x; }

struct Pixels {
  const float* x[tile_pixels];
  float* y[tile_pixels];
};

template <size_t count>
void tile(const Sweep& sweep, const float* weight, const float* bias, const Pixels& at, size_t channels) {
  Vec left[count], right[count];
  for (size_t p = 0; p < count; ++p) {
    left[p] = bias ? load(bias) : Vec{};
    right[p] = bias ? load(bias + vec_lanes) : Vec{};
  }
  const int32_t* offset = sweep.at;
  for (size_t k = 0; k < sweep.terms; ++k, weight += panel_width) {
    const Vec a = load(weight), b = load(weight + vec_lanes);
    const ptrdiff_t from = offset[k];
    for (size_t p = 0; p < count; ++p) {
      const Vec x = spread(at.x[p][from]);
      left[p] += x * a;
      right[p] += x * b;
    }
  }
  if (sweep.relu)
    for (size_t p = 0; p < count; ++p) left[p] = relu(left[p]), right[p] = relu(right[p]);
  if (channels >= half) {
    for (size_t p = 0; p < count; ++p) store(at.y[p], left[p]), store(at.y[p] + vec_lanes, right[p]);
    return;
  }
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

// All pixels of all images against some channels of one panel.
void sweep_channels(const Sweep& sweep, const ImageBatch& batch, size_t first) {
  const size_t panel = first / panel_width, inside = first % panel_width;
  const float* weight = sweep.weight + panel * sweep.terms * panel_width + inside;
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

// Two entries at a time, into sums of their own: the chain of additions is half as long.
template <size_t vectors>
void gather_chunk(const Gather& entries, const float* weight, float* y) {
  Vec even[vectors], odd[vectors];
  for (size_t v = 0; v < vectors; ++v) even[v] = load(y + v * vec_lanes), odd[v] = Vec{};
  size_t n = 0;
  for (; n + 1 < entries.count; n += 2) {
    const Vec g = spread(entries.g[n]), h = spread(entries.g[n + 1]);
    const float *w = weight + entries.at[n], *u = weight + entries.at[n + 1];
    for (size_t v = 0; v < vectors; ++v) {
      even[v] += g * load(w + v * vec_lanes);
      odd[v] += h * load(u + v * vec_lanes);
    }
  }
  if (n < entries.count) {
    const Vec g = spread(entries.g[n]);
    const float* w = weight + entries.at[n];
    for (size_t v = 0; v < vectors; ++v) even[v] += g * load(w + v * vec_lanes);
  }
  for (size_t v = 0; v < vectors; ++v) store(y + v * vec_lanes, even[v] + odd[v]);
}

template <size_t vectors>
void gather_wide(const Gather& entries, const float* weight, float* y) {
  Vec sum[vectors];
  for (size_t v = 0; v < vectors; ++v) sum[v] = load(y + v * vec_lanes);
  for (size_t n = 0; n < entries.count; ++n) {
    const Vec g = spread(entries.g[n]);
    const float* w = weight + entries.at[n];
    for (size_t v = 0; v < vectors; ++v) sum[v] += g * load(w + v * vec_lanes);
  }
  for (size_t v = 0; v < vectors; ++v) store(y + v * vec_lanes, sum[v]);
}

}  // namespace

void sweep(const Sweep& sweep, const ImageBatch& batch) {
  for (size_t first = 0; first < sweep.out; first += half) sweep_channels(sweep, batch, first);
}

void gather(const Gather& entries, float* y) {
  constexpr size_t wide = 12;
  size_t k = 0;
  for (; k + wide * vec_lanes <= entries.length; k += wide * vec_lanes)
    gather_wide<wide>(entries, entries.weight + k, y + k);
  for (; k + 4 * vec_lanes <= entries.length; k += 4 * vec_lanes)
    gather_chunk<4>(entries, entries.weight + k, y + k);
  for (; k + 2 * vec_lanes <= entries.length; k += 2 * vec_lanes)
    gather_chunk<2>(entries, entries.weight + k, y + k);
  for (; k < entries.length; k += vec_lanes) gather_chunk<1>(entries, entries.weight + k, y + k);
}

}  // namespace scfe::kernel::SCFE_ISA
