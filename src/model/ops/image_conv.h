// A convolution on images, optionally followed by a bias, a ReLU or leaky ReLU, and a max-pool.
//
//     y = pool(f(W * x + b))
//
// Backward uses all gradients, or the sparse adjoint if a pool follows and it is faster.
#pragma once

#include "model/ops/conv_pass.h"
#include "model/ops/operator.h"
#include "model/ops/sparse_adjoint.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class ImageConv : public ImageOp {
 public:
  // Null if images would be slower: with groups, or with far more padding than pixels.
  static std::shared_ptr<const ImageConv> make(const ConvWeights& weights, const Window& window,
                                               Epilogue epilogue);
  ImageConv(ConvWeights weights, Window window, Epilogue epilogue, std::shared_ptr<const ImagePool> pool);

  std::optional<ImageSize> result(std::span<const ImageSize> x) const override;
  void forward(const ImageForward& run) const override;
  void backward(const ImageBackward& run) const override;
  std::size_t kept(ImageSize y) const override { return pool_ || epilogue_.given() ? y.floats() : 0; }
  std::size_t scratch(std::size_t count) const override;
  std::size_t weights() const override { return ahead_.weights(); }
  double flops(ImageSize y) const override;
  std::size_t parameters() const override { return weights_.values.size() + weights_.bias.size(); }
  std::shared_ptr<const ImageOp> then(const ImageOp& next) const override;
  ImageSize in() const { return {weights_.in, elements(window_.in)}; }

 private:
  ImageSize out() const { return {weights_.out, elements(window_.out)}; }

  ConvWeights weights_;
  Window window_;
  Epilogue epilogue_;
  std::shared_ptr<const ImagePool> pool_;
  ConvPass ahead_, back_;
  SparseAdjoint sparse_;
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
