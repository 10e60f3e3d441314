// y_i = scale_i x_i + shift_i, row by row: adding and multiplying constants, batch normalisation, scalers.
#pragma once

#include <optional>
#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

class Affine : public Operator {
 public:
  // `separate`: never merged with an Affine before it, so that it rounds like other runtimes (before trees).
  Affine(std::vector<Real> scale, std::vector<Real> shift, bool separate = false)
      : scale_(std::move(scale)), shift_(std::move(shift)), separate_(separate) {}
  void forward(const Forward& run) const override;
  void backward(const Backward& run) const override;
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  double flops() const override { return 2.0 * static_cast<double>(scale_.size()); }
  std::size_t parameters() const override { return 2 * scale_.size(); }
  std::optional<RowOrigin> origin(std::size_t i) const override {
    return RowOrigin{.row = i, .scale = scale_[i], .shift = shift_[i]};
  }
  std::unique_ptr<Operator> after(const Operator& previous) const override;
  std::unique_ptr<Operator> scaled(std::span<const Real> scale, std::span<const Real> shift) const override;

  // Shifts that are larger than this after scaling are not merged. A scaler of dates, for example, subtracts
  // a large mean before it scales: merged, it would subtract two large products and lose digits that other
  // runtimes keep.
  static constexpr Real far = 64;

  const std::vector<Real>& scale() const { return scale_; }
  const std::vector<Real>& shift() const { return shift_; }

 private:
  std::vector<Real> scale_, shift_;
  bool separate_;
};

Value affine(Builder& build, const Value& x, std::vector<Real> scale, std::vector<Real> shift);

// values[(b, o, j)] as one value per o, or nullopt if they depend on b or j.
std::optional<std::vector<Real>> per_channel(std::span<const Real> values, std::size_t channels,
                                             std::size_t inner);

}  // namespace scfe::onnx::inline SCFE_PRECISION
