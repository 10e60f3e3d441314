// The forward or the backward pass of a convolution on images: by Winograd's tiles where they apply, else by
// sweeps. The forward pass can include a 2x2 max-pool, so that pixels that the pool drops are never written.
#pragma once

#include "model/ops/winograd.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class ConvPass {
 public:
  ConvPass() = default;
  // Includes the pool if it is not null and has a suitable form; see pools().
  static ConvPass direct(const ConvWeights& weights, const Window& window, const ImagePool* pool);
  static ConvPass adjoint(const ConvWeights& weights, const Window& window);

  // code: receives the arg-max of each pooled number if pools().
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

}  // namespace scfe::onnx::inline SCFE_PRECISION
