// A 3x3 convolution of stride 1 by Winograd's F(2x2, 3x3): 2.25 times fewer products.
//
//     u = G w G',  G = 1 0 0 / ½ ½ ½ / ½ -½ ½ / 0 0 1        (y = A' [u * B' x B] A: kernel/isa/winograd.cpp)
#pragma once

#include "model/ops/image.h"
#include "model/ops/sweeps.h"

namespace scfe::onnx {

class Winograd {
 public:
  static bool suits(const ConvWeights& weights, const Window& window);
  Winograd(const ConvWeights& weights, const Window& window);

  const Frame& frame() const { return frame_; }
  // x in the frame.
  void run(Images x, Images y, std::size_t count, bool relu, float* scratch) const;
  std::size_t scratch() const;  // floats
  std::size_t weights() const { return weight_.size(); }

 private:
  void multiply(const float* v, float* m, std::size_t tiles) const;

  std::size_t in_, out_;
  Frame frame_;
  std::size_t out_row_;                        // floats of a row of y
  std::vector<std::int32_t> source_, target_;  // of each tile
  std::vector<std::uint8_t> rows_, columns_;   // of outputs in each tile
  std::vector<float> weight_;                  // [16][panel][in][panel_width]
  std::vector<float> bias_;
  std::vector<std::int32_t> terms_, place_in_, place_out_;  // of the tiles of a chunk
};

// The convolution that a gradient goes back through, where stride and dilation are 1.
ConvWeights flipped(const ConvWeights& weights);
Window flipped(const Window& window);

}  // namespace scfe::onnx
