#include "model/ops/image_conv.h"

#include <algorithm>

#include "model/ops/image_elementwise.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

double framed(const Window& w) {
  double pixels = 1;
  for (std::size_t i = 0; i < w.in.size(); ++i)
    pixels *= static_cast<double>(std::max(
        w.in[i] + w.before[i], (w.out[i] - 1) * w.stride[i] + (w.kernel[i] - 1) * w.dilation[i] + 1));
  return pixels;
}

}  // namespace

std::shared_ptr<const ImageConv> ImageConv::make(const ConvWeights& weights, const Window& window,
                                                 Epilogue epilogue) {
  constexpr double most_padding = 4, floor = 4096;
  const auto in = static_cast<double>(elements(window.in)), out = static_cast<double>(elements(window.out));
  if (weights.groups != 1 || in == 0 || out == 0) return nullptr;
  if (framed(window) > most_padding * std::max(in, out) + floor) return nullptr;
  if (framed(window) * static_cast<double>(weights.in) > static_cast<double>(max_computed)) return nullptr;
  return std::make_shared<ImageConv>(weights, window, epilogue, nullptr);
}

ImageConv::ImageConv(ConvWeights weights, Window window, Epilogue epilogue,
                     std::shared_ptr<const ImagePool> pool)
    : weights_(std::move(weights)),
      window_(std::move(window)),
      epilogue_(epilogue),
      pool_(std::move(pool)),
      ahead_(ConvPass::direct(weights_, window_, pool_.get())) {
  if (pool_) sparse_ = SparseAdjoint(weights_, window_, *pool_);
  if (!sparse_.pays()) back_ = ConvPass::adjoint(weights_, window_);
}

std::optional<ImageSize> ImageConv::result(std::span<const ImageSize> x) const {
  if (x.size() != 1 || !(x[0] == in())) return std::nullopt;
  return pool_ ? pool_->out() : out();
}

std::shared_ptr<const ImageOp> ImageConv::then(const ImageOp& next) const {
  if (pool_) return nullptr;
  if (const auto epilogue = as_epilogue(next); epilogue && !epilogue_.given())
    return std::make_shared<ImageConv>(weights_, window_, *epilogue, nullptr);
  const auto* pool = dynamic_cast<const ImagePool*>(&next);
  const bool simple = !epilogue_.given() || epilogue_.kind == kernel::activation_relu;
  // With another number of axes (a Flatten between the two), the pool's neighbours are different pixels.
  const bool aligned = pool && pool->window().in.size() == window_.in.size();
  if (!aligned || !simple || !(pool->in() == out())) return nullptr;
  return std::make_shared<ImageConv>(weights_, window_, epilogue_, std::make_shared<ImagePool>(*pool));
}

double ImageConv::flops(ImageSize y) const {
  return 2.0 * static_cast<double>(weights_.values.size()) * static_cast<double>(out().pixels) +
         (pool_ ? static_cast<double>(y.floats() * pool_->taps()) : 0);
}

std::size_t ImageConv::scratch(std::size_t count) const {
  const std::size_t spread = pool_ ? count * out().floats() : 0;  // the pool's operand, or its gradient
  return std::max(ahead_.scratch(count) + (ahead_.pools() ? 0 : spread),
                  sparse_.pays() ? sparse_.scratch() : back_.scratch(count) + spread);
}

void ImageConv::forward(const ImageForward& run) const {
  const bool relu = epilogue_.kind == kernel::activation_relu;
  const std::size_t floats = out().floats();
  if (pool_ && !ahead_.pools()) {
    const Images y{run.scratch, floats};
    ahead_.run(run.x[0], y, {}, run.count, false, run.scratch + run.count * floats);
    for (std::size_t i = 0; i < run.count; ++i) pool_->pool(y[i], run.y[i], run.kept[i], relu);
    return;
  }
  ahead_.run(run.x[0], run.y, run.kept, run.count, relu, run.scratch);
  if (pool_ || !epilogue_.given()) return;
  for (std::size_t i = 0; i < run.count; ++i) {
    if (!relu) kernel::kernels().activate(epilogue_.kind, epilogue_.parameter, run.y[i], run.y[i], floats);
    keep_signs(run.y[i], run.kept[i], floats);
  }
}

void ImageConv::backward(const ImageBackward& run) const {
  const std::size_t floats = out().floats();
  Images dy = run.dy;
  float* scratch = run.scratch;
  if (sparse_.pays()) {
    for (std::size_t i = 0; i < run.count; ++i) sparse_.run(dy[i], run.kept[i], run.dx[0][i], scratch);
    return;
  }
  if (pool_) {
    const Images spread{scratch, floats};
    scratch += run.count * floats;
    pool_->backward({dy, {&spread, 1}, run.kept, nullptr, run.size, run.count});
    dy = spread;
  } else if (epilogue_.given()) {
    for (std::size_t i = 0; i < run.count; ++i) through_signs(epilogue_, run.kept[i], dy[i], dy[i], floats);
  }
  back_.run(dy, run.dx[0], {}, run.count, false, scratch);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
