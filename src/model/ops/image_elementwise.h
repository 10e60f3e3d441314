// Activations and sums on images, number by number.
#pragma once

#include "model/ops/image.h"
#include "model/ops/operator.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// y = f(x); keeps x for backward.
class ImageActivate : public ImageOp {
 public:
  explicit ImageActivate(Epilogue function) : function_(function) {}
  std::optional<ImageSize> result(std::span<const ImageSize> x) const override;
  void forward(const ImageForward& run) const override;
  void backward(const ImageBackward& run) const override;
  std::size_t kept(ImageSize y) const override;
  Epilogue function() const { return function_; }

 private:
  Epilogue function_;
};

// y = f(a + b), where the sign of y determines the slope of f; keeps the signs for backward.
class ImageSum : public ImageOp {
 public:
  explicit ImageSum(Epilogue epilogue = {}) : epilogue_(epilogue) {}
  std::optional<ImageSize> result(std::span<const ImageSize> x) const override;
  void forward(const ImageForward& run) const override;
  void backward(const ImageBackward& run) const override;
  std::size_t kept(ImageSize y) const override { return epilogue_.given() ? y.floats() : 0; }
  std::shared_ptr<const ImageOp> then(const ImageOp& next) const override;

 private:
  Epilogue epilogue_;
};

// The activation if it is ReLU or leaky ReLU; else nullopt.
std::optional<Epilogue> as_epilogue(const ImageOp& op);
// The first stores the signs of `count` results, the second multiplies gradients by the slopes they imply.
void keep_signs(const float* y, std::uint8_t* kept, std::size_t count);
void through_signs(Epilogue epilogue, const std::uint8_t* kept, const float* dy, float* dx,
                   std::size_t count);

}  // namespace scfe::onnx::inline SCFE_PRECISION
