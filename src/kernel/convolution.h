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

// With a 2x2 max-pool behind the sweep: sources come in fours, the pixels under a window in the order of the
// pool's taps; targets are of windows.
inline constexpr std::size_t pooled_taps = 4;

// y[to + k] += sum over the entries n of g[n] weight[at[n] + k], k < length, for each target; length is a
// multiple of gather_width.
inline constexpr std::size_t gather_width = 8;
struct Entry {
  float g;
  std::int32_t at;
};
struct GatherTarget {
  const Entry* entry;
  std::uint32_t entries;
  std::int32_t to;
};
struct Gather {
  std::size_t length;
  const float* weight;
  std::size_t targets;
  const GatherTarget* target;
};

// The adjoint of a convolution with few input channels and a max-pool: each window of the pool adds to the
// patch of x under it, `lines` of `line` floats,
//     sum over channels c of dy[window][c] weight[code[window][c]][c]
inline constexpr std::size_t largest_patch = 64;  // floats of a row
struct Patches {
  std::size_t channels, windows;
  std::size_t row;      // floats of a row of weights, a multiple of gather_width: a patch, zeros behind it
  const float* weight;  // [tap or none][channel][row]
  const std::int32_t* under;  // [window], where its patch starts, each `step` from the last
  std::size_t step;
  std::size_t lines, line;
  const std::int32_t* line_at;  // [lines]
};

// y[p][c] = max over taps t of x[source[p][t] + c], where it is (a source of -1 is padding, not for all
// taps); code: the first tap that reaches it, or `taps` where `relu` and y is not positive (y is 0 then).
struct MaxPool {
  std::size_t channels, pixels, taps;
  const std::int32_t* source;  // [pixel][tap]
  bool relu;
};

// Winograd's tiles of side x side outputs, side 2 or 4, which see (side + 2)² inputs; channels are a multiple
// of gather_width. The numbers of one product are a plane, [tile][channel]; planes lie `plane` floats apart,
// which should be no large power of two: all planes of a tile are met together.
constexpr std::size_t winograd_products(std::size_t side) { return (side + 2) * (side + 2); }
struct WinogradTiles {
  std::size_t side, channels, count, plane;
  const std::int32_t* at;  // of each tile's first pixel
  std::size_t row;         // from one row of pixels to the next
  const std::uint8_t *rows,
      *columns;  // of outputs (windows, before a pool) that exist in each tile; null: all
};
// m[k][t][o] = sum over c < in of v[k][t][c] weight[k][c][o]
struct WinogradProducts {
  std::size_t side, in, out, tiles;
  const float* weight;  // [product][panel][in][panel_width]
  std::size_t v_plane, m_plane;
};
struct WinogradEnd {
  const float* bias;  // [channel], or null
  bool relu;
  std::uint8_t* code = nullptr;           // a 2x2 max-pool follows: which tap it was
  const std::int32_t* code_at = nullptr;  // of each tile
};

// The points of Winograd's F(4x4, 3x3) beside 0 and infinity, +- each: errors are smaller than with 1 and 2.
inline constexpr double winograd_near = 0.625, winograd_far = 1.5;

}  // namespace scfe::kernel
