// Loops over images [pixel][channel]: the channels of a pixel lie side by side and fill the vectors, so one
// image alone keeps the machine busy and each may go its own way (the arg-max of a pool). Every sum runs in
// an order of its own pixel and channel: bits depend neither on the other images nor on the place in a batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

inline constexpr std::size_t panel_width = 16;  // output channels that share a stretch of weights

constexpr std::size_t panels_of(std::size_t channels) { return (channels + panel_width - 1) / panel_width; }

// y[target(p)][o] = bias[o] + sum over k < terms of weight[k][o] x[source(p) + at[k]]
//
// Convolutions of any stride and dilation, their adjoints (one sweep for each phase) and the products of
// Winograd's are this.
struct Sweep {
  std::size_t out, terms;
  const std::int32_t* at;      // [terms], in floats
  const float* weight;         // [panel][terms][panel_width]
  const float* bias;           // [panel][panel_width], or null
  std::size_t pixels;          // of one image
  const std::int32_t* source;  // [pixels]
  const std::int32_t* target;  // [pixels]
  bool relu;
};
struct ImageBatch {
  const float* x;
  float* y;
  std::size_t x_stride, y_stride;  // from one image to the next
  std::size_t images;
};

// y[k] += sum over n of g[n] weight[at[n] + k], k < length; length is a multiple of gather_width.
inline constexpr std::size_t gather_width = 8;
struct Gather {
  std::size_t length, count;
  const std::int32_t* at;
  const float* g;
  const float* weight;
};

// y[p][c] = max over taps t of x[source[p][t] + c], where it is (a source of -1 is padding, not for all
// taps); code: the first tap that reaches it, or `taps` where `relu` and y is not positive (y is 0 then).
struct MaxPool {
  std::size_t channels, pixels, taps;
  const std::int32_t* source;  // [pixel][tap]
  bool relu;
};

// Winograd's tiles of 4x4 inputs or 2x2 outputs; channels are a multiple of gather_width.
struct WinogradTiles {
  std::size_t channels, count;
  const std::int32_t* at;              // of each tile's first pixel
  std::size_t row;                     // from one row of pixels to the next
  const std::uint8_t *rows, *columns;  // of outputs that exist, 1 or 2, in each tile; null: all
};

}  // namespace scfe::kernel
