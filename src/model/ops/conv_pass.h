// One way through a convolution, forward or back, on images: by sweeps, or by Winograd's tiles where they
// suit.
#pragma once

#include "model/ops/winograd.h"

namespace scfe::onnx {

class ConvPass {
 public:
  ConvPass() = default;
  static ConvPass direct(const ConvWeights& weights, const Window& window);
  static ConvPass adjoint(const ConvWeights& weights, const Window& window);

  void run(Images x, Images y, std::size_t count, bool relu, float* scratch) const;
  std::size_t scratch(std::size_t count) const;  // floats
  std::size_t weights() const { return tiles_ ? tiles_->weights() : sweeps_.weights(); }

 private:
  explicit ConvPass(Sweeps sweeps);
  explicit ConvPass(Winograd tiles);

  Sweeps sweeps_;
  std::optional<Winograd> tiles_;
  Frame frame_;
  std::vector<std::int32_t> lines_;
};

}  // namespace scfe::onnx
