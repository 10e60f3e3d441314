// MaxPool on images: y[p][c] = max over taps t of x[source(p, t)][c]. Keeps one byte per result: its tap.
#pragma once

#include "model/ops/image.h"
#include "model/ops/window.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class ImagePool : public ImageOp {
 public:
  // Null if a window lies in the padding only, or has more taps than a byte can number.
  static std::shared_ptr<const ImagePool> make(const Window& window, std::size_t channels);

  std::optional<ImageSize> result(std::span<const ImageSize> x) const override;
  void forward(const ImageForward& run) const override;
  void backward(const ImageBackward& run) const override;
  std::size_t kept(ImageSize y) const override { return y.floats(); }

  const Window& window() const { return window_; }
  std::size_t taps() const { return window_.taps(); }
  ImageSize in() const { return {channels_, elements(window_.in)}; }
  ImageSize out() const { return {channels_, elements(window_.out)}; }
  // Offsets of the taps of each pixel, in floats: [pixel][tap], -1 in the padding.
  const std::vector<std::int32_t>& sources() const { return source_; }
  bool overlaps() const { return overlaps_; }

  // With relu, y is max(0, y), and the code is `taps` where y is not positive.
  void pool(const float* x, float* y, std::uint8_t* code, bool relu) const;

 private:
  Window window_;
  std::size_t channels_ = 0;
  std::vector<std::int32_t> source_;
  bool overlaps_ = false;
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
