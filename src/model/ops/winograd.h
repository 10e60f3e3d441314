// A 3x3 convolution of stride 1 by Winograd's F(2x2, 3x3) or F(4x4, 3x3): 2.25 or 4 times fewer products.
//
//     u = G w G'        (y = A' [u * B' x B] A: kernel/isa/winograd.cpp)
//
//     F2:  G = 1 0 0 / ½ ½ ½ / ½ -½ ½ / 0 0 1
//     F4:  a row (1, p, p²) / product over the other points q of (p - q) for each point p, and 0 0 1
//
// F4 is used only for the backward pass, if it saves products and its weights (four times those of the
// convolution) stay in a near cache. In the forward pass, outputs over a flat part of an image must be equal
// to the last bit, because a max-pool takes the first of equal ones; F2 guarantees that, F4 does not. A 2x2
// max-pool that follows is computed inside a tile.
#pragma once

#include "model/ops/image_pool.h"
#include "model/ops/sweeps.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class Winograd {
 public:
  static bool suits(const ConvWeights& weights, const Window& window);
  // True if every window of the pool lies inside one tile.
  static bool holds(const ImagePool& pool);
  enum class Way { ahead, back };
  // pool: null, or a pool for which holds() is true.
  Winograd(const ConvWeights& weights, const Window& window, Way way, const ImagePool* pool);

  const Frame& frame() const { return frame_; }
  // x must be framed; code is written only if a pool was given.
  void run(Images x, Images y, Kept code, std::size_t count, bool relu, float* scratch) const;
  std::size_t scratch() const;  // floats
  std::size_t weights() const { return weight_.size(); }

 private:
  std::size_t products() const { return kernel::winograd_products(side_); }
  // Floats of a chunk's plane. One cache line more avoids that all planes map to the same cache sets.
  std::size_t plane_of(std::size_t channels) const { return chunk_ * channels + kernel::panel_width; }
  void lay_out_weights(const ConvWeights& weights);

  std::size_t in_, out_;
  std::size_t side_;   // a tile has side_ x side_ outputs
  std::size_t chunk_;  // tiles that are computed together
  bool pooled_;
  Frame frame_;
  std::size_t out_row_;                        // floats of a row of y
  std::vector<std::int32_t> source_, target_;  // per tile: offsets in x and y
  std::vector<std::uint8_t> rows_, columns_;   // per tile: rows and columns of outputs inside the image
  std::vector<float> weight_;                  // [product][panel][in][panel_width]
  std::vector<float> bias_;
};

// The adjoint of a convolution with stride and dilation 1, written as a convolution.
ConvWeights flipped(const ConvWeights& weights);
Window flipped(const Window& window);

}  // namespace scfe::onnx::inline SCFE_PRECISION
