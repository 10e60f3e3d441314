// Operators on images: [pixel][channel], one image after the other, instead of rows of lanes.
//
// Lanes suit tables. In a convolution the pixels and channels of one image are enough to fill the vector
// registers, and one image fits the cache. A part of the plan that reads and writes rows but runs on images
// inside is one operator (ops/image_stretch.h) made of the operators here. These hold only constants, and a
// group of images runs through all of them before the next group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "model/onnx/real.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct ImageSize {
  std::size_t channels = 0, pixels = 0;
  std::size_t floats() const { return channels * pixels; }
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

// A batch of images, `stride` floats apart.
struct Images {
  float* data = nullptr;
  std::size_t stride = 0;
  float* operator[](std::size_t image) const { return data + image * stride; }
};

// Bytes per image that forward leaves for backward. They lie in a buffer of floats.
struct Kept {
  std::uint8_t* data = nullptr;
  std::size_t stride = 0;
  std::uint8_t* operator[](std::size_t image) const { return data + image * stride; }
  float* floats(std::size_t image) const { return reinterpret_cast<float*>((*this)[image]); }
};

struct ImageForward {
  std::span<const Images> x;
  Images y;
  Kept kept;
  float* scratch;
  ImageSize size;     // of y
  std::size_t count;  // images
};

// Backward writes each dx and may overwrite dy.
struct ImageBackward {
  Images dy;
  std::span<const Images> dx;
  Kept kept;
  float* scratch;
  ImageSize size;  // of y
  std::size_t count;
};

class ImageOp {
 public:
  virtual ~ImageOp() = default;
  // The size of the result; nullopt if the operands do not fit.
  virtual std::optional<ImageSize> result(std::span<const ImageSize> x) const = 0;
  virtual void forward(const ImageForward& run) const = 0;
  virtual void backward(const ImageBackward& run) const = 0;
  virtual std::size_t kept(ImageSize y) const = 0;                        // bytes per image
  virtual std::size_t scratch(std::size_t /*count*/) const { return 0; }  // floats, for `count` images
  virtual std::size_t weights() const { return 0; }  // floats that are read for each image
  virtual double flops(ImageSize y) const { return static_cast<double>(y.floats()); }
  virtual std::size_t parameters() const { return 0; }

  // This operator and `next` merged into one; null if that is not possible. Only `next` reads the result.
  virtual std::shared_ptr<const ImageOp> then(const ImageOp& /*next*/) const { return nullptr; }
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
