// The adjoint of convolution + max-pool for one image: of each pooled window one pixel has a gradient, and
// only those add their weights to what lies under them.
//
//     dx[under the window of pixel q] += sum over channels o with arg-max q of dy[o] W[o]
//
// Where the patch of x under a whole pooled window is small (few input channels), the weights are laid out
// once for each tap of the pool and a window takes one pass; otherwise channels are listed by their arg-max
// and each run of the window takes a pass.
#pragma once

#include "model/ops/image_pool.h"
#include "model/ops/sweeps.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class SparseAdjoint {
 public:
  SparseAdjoint() = default;
  SparseAdjoint(const ConvWeights& weights, const Window& window, const ImagePool& pool);

  // False where a dense adjoint is better: windows that overlap, weights beyond the caches.
  bool pays() const { return !weight_.empty(); }
  // code: the arg-max of each pooled number (kernel::MaxPool).
  void run(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const;
  std::size_t scratch() const;  // floats

 private:
  void lay_out_patches(const ConvWeights& weights, const Window& window, const Window& pool);
  void lay_out_runs(const OwnedSweep& sweep);
  void add_runs(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const;

  Frame frame_;  // of dx
  std::vector<std::int32_t> lines_;
  std::size_t channels_ = 0, pixels_ = 0, taps_ = 0;  // of what the pool gives
  std::size_t row_ = 0;                               // floats of a row of weights
  std::vector<float> weight_;                         // [run][channel][row_], or [tap or none][channel][row_]
  std::vector<std::int32_t> under_;                   // [pixel][tap] what the convolution's pixel sees first
  std::vector<std::int32_t> run_;
  std::size_t line_ = 0;               // of a patch, in floats; 0: by runs
  std::vector<std::int32_t> line_at_;  // its lines in the frame
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
