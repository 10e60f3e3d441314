#include "model/ops/extreme.h"

#include <algorithm>
#include <limits>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class Extreme : public Operator {
 public:
  Extreme(RowLists lists, Real sign, Type type, std::shared_ptr<const ImageOp> on_images)
      : lists_(std::move(lists)),
        sign_(sign),
        none_(type == Type::boolean ? (sign > 0 ? 0.0F : 1.0F)
                                    : -sign * std::numeric_limits<Real>::infinity()),
        on_images_(std::move(on_images)) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i + 1 < lists_.begin.size(); ++i) {
      Real* y = row(run.y, i);
      const std::uint32_t first = lists_.begin[i], last = lists_.begin[i + 1];
      if (first == last) {
        std::fill_n(y, run.lanes, none_);
        continue;
      }
      std::copy_n(row(run.x[0], lists_.rows[first]), run.lanes, y);
      for (std::uint32_t t = first + 1; t < last; ++t) {
        const Real* x = row(run.x[0], lists_.rows[t]);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] = sign_ * x[l] > sign_ * y[l] ? x[l] : y[l];
      }
    }
  }

  void backward(const Backward& run) const override {
    Real* left = row(run.scratch, 0);
    for (std::size_t i = 0; i + 1 < lists_.begin.size(); ++i) {
      const Real* y = row(run.y, i);
      std::copy_n(row(run.dy, i), run.lanes, left);
      for (std::uint32_t t = lists_.begin[i]; t < lists_.begin[i + 1]; ++t) {
        const Real* x = row(run.x[0], lists_.rows[t]);
        Real* dx = row(run.dx[0], lists_.rows[t]);
        for (std::size_t l = 0; l < run.lanes; ++l) {
          dx[l] += x[l] == y[l] ? left[l] : 0.0F;
          left[l] = x[l] == y[l] ? 0.0F : left[l];
        }
      }
    }
  }

  bool reads_y() const override { return true; }
  std::size_t scratch() const override { return 1; }
  double flops() const override { return static_cast<double>(lists_.rows.size()); }
  std::shared_ptr<const ImageOp> on_images() const override { return on_images_; }

 private:
  RowLists lists_;
  Real sign_;
  Real none_;  // the result of an empty list
  std::shared_ptr<const ImageOp> on_images_;
};

}  // namespace

Value largest(Builder& build, const Value& x, RowLists lists, Shape shape,
              std::shared_ptr<const ImageOp> on_images) {
  return build.emit(std::make_unique<Extreme>(std::move(lists), 1.0F, x.type, std::move(on_images)), {x},
                    std::move(shape), x.type);
}

Value smallest(Builder& build, const Value& x, RowLists lists, Shape shape) {
  return build.emit(std::make_unique<Extreme>(std::move(lists), -1.0F, x.type, nullptr), {x},
                    std::move(shape), x.type);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
