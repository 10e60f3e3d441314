#include "model/ops/image_elementwise.h"

#include <algorithm>

#include "kernel/kernels.h"

namespace scfe::onnx::inline SCFE_PRECISION {

std::optional<Epilogue> as_epilogue(const ImageOp& op) {
  const auto* activate = dynamic_cast<const ImageActivate*>(&op);
  if (!activate) return std::nullopt;
  const Epilogue function = activate->function();
  const bool signed_slope = function.kind == kernel::activation_relu ||
                            (function.kind == kernel::activation_leaky_relu && function.parameter > 0);
  return signed_slope ? std::optional(function) : std::nullopt;
}

void keep_signs(const float* y, std::uint8_t* kept, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) kept[k] = y[k] > 0 ? 1 : 0;
}

void through_signs(Epilogue epilogue, const std::uint8_t* kept, const float* dy, float* dx,
                   std::size_t count) {
  const float slope = epilogue.kind == kernel::activation_leaky_relu ? epilogue.parameter : 0.0F;
  for (std::size_t k = 0; k < count; ++k) dx[k] = (kept[k] != 0 ? 1.0F : slope) * dy[k];
}

std::optional<ImageSize> ImageActivate::result(std::span<const ImageSize> x) const {
  return x.size() == 1 ? std::optional(x[0]) : std::nullopt;
}

std::size_t ImageActivate::kept(ImageSize y) const { return y.floats() * sizeof(float); }

void ImageActivate::forward(const ImageForward& run) const {
  const std::size_t count = run.size.floats();
  for (std::size_t i = 0; i < run.count; ++i) {
    std::copy_n(run.x[0][i], count, run.kept.floats(i));
    kernel::kernels().activate(function_.kind, function_.parameter, run.x[0][i], run.y[i], count);
  }
}

void ImageActivate::backward(const ImageBackward& run) const {
  for (std::size_t i = 0; i < run.count; ++i)
    kernel::kernels().activate_gradient(function_.kind, function_.parameter, run.kept.floats(i), run.dy[i],
                                        run.dx[0][i], run.size.floats());
}

std::optional<ImageSize> ImageSum::result(std::span<const ImageSize> x) const {
  return x.size() == 2 && x[0] == x[1] ? std::optional(x[0]) : std::nullopt;
}

void ImageSum::forward(const ImageForward& run) const {
  const std::size_t count = run.size.floats();
  for (std::size_t i = 0; i < run.count; ++i) {
    const float *a = run.x[0][i], *b = run.x[1][i];
    float* y = run.y[i];
    for (std::size_t k = 0; k < count; ++k) y[k] = a[k] + b[k];
    if (!epilogue_.given()) continue;
    kernel::kernels().activate(epilogue_.kind, epilogue_.parameter, y, y, count);
    keep_signs(y, run.kept[i], count);
  }
}

void ImageSum::backward(const ImageBackward& run) const {
  const std::size_t count = run.size.floats();
  for (std::size_t i = 0; i < run.count; ++i) {
    float* dy = run.dy[i];
    if (epilogue_.given()) through_signs(epilogue_, run.kept[i], dy, dy, count);
    for (const Images& dx : run.dx) std::copy_n(dy, count, dx[i]);
  }
}

std::shared_ptr<const ImageOp> ImageSum::then(const ImageOp& next) const {
  const std::optional<Epilogue> epilogue = as_epilogue(next);
  return epilogue && !epilogue_.given() ? std::make_shared<ImageSum>(*epilogue) : nullptr;
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
