#include "model/ops/affine.h"

#include <cmath>

namespace scfe::onnx::inline SCFE_PRECISION {

void Affine::forward(const Forward& run) const {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const Real* x = row(run.x[0], i);
    Real* y = row(run.y, i);
    const Real scale = scale_[i], shift = shift_[i];
    for (std::size_t l = 0; l < run.lanes; ++l) y[l] = scale * x[l] + shift;
  }
}

void Affine::backward(const Backward& run) const {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const Real* dy = row(run.dy, i);
    Real* dx = row(run.dx[0], i);
    const Real scale = scale_[i];
    for (std::size_t l = 0; l < run.lanes; ++l) dx[l] = scale * dy[l];
  }
}

std::unique_ptr<Operator> Affine::after(const Operator& previous) const {
  return separate_ ? nullptr : previous.scaled(scale_, shift_);
}

std::unique_ptr<Operator> Affine::scaled(std::span<const Real> scale, std::span<const Real> shift) const {
  std::vector<Real> both_scale(scale_.size()), both_shift(scale_.size());
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    both_scale[i] = scale_[i] * scale[i];
    both_shift[i] = shift_[i] * scale[i] + shift[i];
    if (std::abs(shift_[i] * scale[i]) > far) return nullptr;
  }
  return std::make_unique<Affine>(std::move(both_scale), std::move(both_shift));
}

Value affine(Builder& build, const Value& x, std::vector<Real> scale, std::vector<Real> shift) {
  return build.emit(std::make_unique<Affine>(std::move(scale), std::move(shift)), {x}, x.shape);
}

std::optional<std::vector<Real>> per_channel(std::span<const Real> values, std::size_t channels,
                                             std::size_t inner) {
  std::vector<Real> result(channels);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t channel = i / inner % channels;
    if (i < channels * inner && i % inner == 0) result[channel] = values[i];
    if (!(values[i] == result[channel])) return std::nullopt;
  }
  return result;
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
