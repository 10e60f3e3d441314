#include "model/ops/image_pool.h"

#include <algorithm>

#include "kernel/kernels.h"

namespace scfe::onnx::inline SCFE_PRECISION {

std::shared_ptr<const ImagePool> ImagePool::make(const Window& window, std::size_t channels) {
  constexpr std::size_t most_taps = 254;
  auto pool = std::make_shared<ImagePool>();
  pool->window_ = window;
  pool->channels_ = channels;
  const std::size_t taps = window.taps();
  if (taps > most_taps) return nullptr;
  pool->source_ = window.table();
  std::vector<bool> seen(elements(window.in), false);
  for (std::size_t p = 0; p < pool->source_.size(); p += taps) {
    bool any = false;
    for (std::size_t t = p; t < p + taps; ++t) {
      if (pool->source_[t] < 0) continue;
      any = true;
      const auto pixel = static_cast<std::size_t>(pool->source_[t]);
      pool->overlaps_ = pool->overlaps_ || seen[pixel];
      seen[pixel] = true;
      pool->source_[t] = static_cast<std::int32_t>(pixel * channels);
    }
    if (!any) return nullptr;
  }
  return pool;
}

std::optional<ImageSize> ImagePool::result(std::span<const ImageSize> x) const {
  if (x.size() != 1 || !(x[0] == in())) return std::nullopt;
  return out();
}

void ImagePool::pool(const float* x, float* y, std::uint8_t* code, bool relu) const {
  kernel::kernels().max_pool({channels_, out().pixels, taps(), source_.data(), relu}, x, y, code);
}

void ImagePool::forward(const ImageForward& run) const {
  for (std::size_t i = 0; i < run.count; ++i) pool(run.x[0][i], run.y[i], run.kept[i], false);
}

void ImagePool::backward(const ImageBackward& run) const {
  const std::size_t taps = this->taps();
  for (std::size_t i = 0; i < run.count; ++i) {
    const float* dy = run.dy[i];
    const std::uint8_t* code = run.kept[i];
    float* dx = run.dx[0][i];
    std::fill_n(dx, in().floats(), 0.0F);
    for (std::size_t p = 0; p < out().pixels; ++p, dy += channels_, code += channels_)
      for (std::size_t c = 0; c < channels_; ++c)
        if (code[c] < taps) dx[static_cast<std::size_t>(source_[p * taps + code[c]]) + c] += dy[c];
  }
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
