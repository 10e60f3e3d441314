// One way through a convolution, forward or back, on images: by sweeps, or by Winograd's tiles where they
// suit. Forward it may take a 2x2 max-pool along: what the pool drops is never written.
#pragma once

#include "model/ops/winograd.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class ConvPass {
 public:
  ConvPass() = default;
  // With the pool, if it is not null and can be taken along.
  static ConvPass direct(const ConvWeights& weights, const Window& window, const ImagePool* pool);
  static ConvPass adjoint(const ConvWeights& weights, const Window& window);

  // code: of the pool, where it pools.
  void run(Images x, Images y, Kept code, std::size_t count, bool relu, float* scratch) const;
  bool pools() const { return pools_; }
  std::size_t scratch(std::size_t count) const;  // floats
  std::size_t weights() const { return tiles_ ? tiles_->weights() : sweeps_.weights(); }

 private:
  explicit ConvPass(Sweeps sweeps, bool pools = false);
  explicit ConvPass(Winograd tiles, bool pools = false);

  Sweeps sweeps_;
  std::optional<Winograd> tiles_;
  bool pools_ = false;
  Frame frame_;
  std::vector<std::int32_t> lines_;
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
