// Loops over images [pixel][channel]. The channels of a pixel are contiguous and fill the vector registers,
// so a single image is enough for full speed, and images may take different branches (the arg-max of a pool).
// The order of each sum depends only on its pixel and channel: the bits of a result depend neither on other
// images nor on its position in the batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

inline constexpr std::size_t panel_width = 16;  // output channels whose weights are stored together

constexpr std::size_t panels_of(std::size_t channels) { return (channels + panel_width - 1) / panel_width; }

// y[target(p)][o] = bias[o] + sum over k < terms of weight[k][o] x[source(p) + at[k]]
//
// Convolutions of any stride and dilation have this form, and so do their adjoints (one sweep per phase) and
// the products of Winograd's method.
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

// In a sweep with a 2x2 max-pool, sources come in groups of four: the pixels of a pool window in the order of
// its taps. There is one target per window.
inline constexpr std::size_t pooled_taps = 4;

// For each target: y[to + k] += sum over its entries n of g[n] weight[at[n] + k], k < length. length is a
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

// The adjoint of a convolution with few input channels and a max-pool: each window of the pool adds
//     sum over channels c of dy[window][c] weight[code[window][c]][c]
// to the patch of x that it was computed from: `lines` lines of `line` floats.
inline constexpr std::size_t largest_patch = 64;  // floats per row
struct Patches {
  std::size_t channels, windows;
  std::size_t row;            // floats per row of weights: a patch and zeros up to a multiple of gather_width
  const float* weight;        // [tap or none][channel][row]
  const std::int32_t* under;  // where the patch of window n starts is under[n * step]
  std::size_t step;
  std::size_t lines, line;
  const std::int32_t* line_at;  // [lines]
};

// y[p][c] = max over taps t of x[source[p][t] + c]. A source of -1 is padding and is skipped; each pixel has
// at least one other tap. code is the first tap that equals the maximum. With `relu`, y becomes max(0, y),
// and code is `taps` where y is not positive.
struct MaxPool {
  std::size_t channels, pixels, taps;
  const std::int32_t* source;  // [pixel][tap]
  bool relu;
};

// Winograd's tiles of side x side outputs, with side 2 or 4, which read (side + 2)² inputs. The number of
// channels is a multiple of gather_width. The numbers of one product form a plane, [tile][channel]. Planes
// are `plane` floats apart, which should not be a large power of two: all planes of a tile are used at once.
constexpr std::size_t winograd_products(std::size_t side) { return (side + 2) * (side + 2); }
struct WinogradTiles {
  std::size_t side, channels, count, plane;
  const std::int32_t* at;  // offset of each tile's first pixel
  std::size_t row;         // floats from one row of pixels to the next
  // Per tile: rows and columns of outputs (of pool windows, with a pool) inside the image; null means all.
  const std::uint8_t *rows, *columns;
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
  std::uint8_t* code = nullptr;           // if a 2x2 max-pool follows: receives its arg-max
  const std::int32_t* code_at = nullptr;  // where the codes of each tile begin
};

// Winograd's F(4x4, 3x3) uses the points 0, infinity and +- these; errors are smaller than with 1 and 2.
inline constexpr double winograd_near = 0.625, winograd_far = 1.5;

}  // namespace scfe::kernel
