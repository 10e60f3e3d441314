// The adjoint of convolution + max-pool for one image. Per channel, only the arg-max pixel of each pool
// window has a gradient, so only these pixels add their weights to the part of dx that they read from x.
//
//     dx[patch of pixel q] += sum over channels o with arg-max q of dy[o] W[o]
//
// If the patch of x under a whole pool window is small (few input channels), the weights are stored once per
// tap of the pool, and each window takes one pass. Otherwise channels are sorted by their arg-max, and each
// run of the window takes a pass.
#pragma once

#include "model/ops/image_pool.h"
#include "model/ops/sweeps.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class SparseAdjoint {
 public:
  SparseAdjoint() = default;
  SparseAdjoint(const ConvWeights& weights, const Window& window, const ImagePool& pool);

  // False if a dense adjoint is faster: windows overlap, or the weights do not fit the caches.
  bool pays() const { return !weight_.empty(); }
  // code: the arg-max of each pooled number (kernel::MaxPool).
  void run(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const;
  std::size_t scratch() const;  // floats

 private:
  void lay_out_patches(const ConvWeights& weights, const Window& window, const Window& pool);
  void lay_out_runs(const OwnedSweep& sweep);
  void add_runs(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const;

  Frame frame_;  // around dx
  std::vector<std::int32_t> lines_;
  std::size_t channels_ = 0, pixels_ = 0, taps_ = 0;  // of the pool's result
  std::size_t row_ = 0;                               // floats of a row of weights
  std::vector<float> weight_;                         // [run][channel][row_], or [tap or none][channel][row_]
  std::vector<std::int32_t> under_;                   // [pixel][tap] where the patch of that pixel starts
  std::vector<std::int32_t> run_;
  std::size_t line_ = 0;               // length of a line of a patch in floats; 0: the method by runs is used
  std::vector<std::int32_t> line_at_;  // where the lines of a patch lie in the frame
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
