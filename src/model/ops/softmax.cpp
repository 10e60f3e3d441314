// Softmax and LogSoftmax along an axis. The largest entry m is subtracted first, so that nothing overflows.
//
//     y_i = e^(x_i - m) / s,  s = sum_j e^(x_j - m)       dx_i = y_i (dy_i - sum_j y_j dy_j)
//     log:  y_i = x_i - m - log s                          dx_i = dy_i - e^(y_i) sum_j dy_j
#include <algorithm>
#include <cmath>

#include "model/ops/axes.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class Softmax : public Operator {
 public:
  Softmax(std::size_t outer, std::size_t size, std::size_t inner, bool log)
      : outer_(outer), size_(size), inner_(inner), log_(log) {}

  void forward(const Forward& run) const override {
    each([&](std::size_t first) {
      Real *peak = row(run.scratch, 0), *sum = row(run.scratch, 1);
      std::copy_n(row(run.x[0], first), run.lanes, peak);
      for (std::size_t i = 1; i < size_; ++i) {
        const Real* x = row(run.x[0], first + i * inner_);
        for (std::size_t l = 0; l < run.lanes; ++l) peak[l] = std::max(peak[l], x[l]);
      }
      std::fill_n(sum, run.lanes, 0.0F);
      for (std::size_t i = 0; i < size_; ++i) {
        const Real* x = row(run.x[0], first + i * inner_);
        Real* y = row(run.y, first + i * inner_);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] = std::exp(x[l] - peak[l]);
        for (std::size_t l = 0; l < run.lanes; ++l) sum[l] += y[l];
      }
      if (log_)
        for (std::size_t l = 0; l < run.lanes; ++l) peak[l] += std::log(sum[l]);
      for (std::size_t i = 0; i < size_; ++i) {
        const Real* x = row(run.x[0], first + i * inner_);
        Real* y = row(run.y, first + i * inner_);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] = log_ ? x[l] - peak[l] : y[l] / sum[l];
      }
    });
  }

  void backward(const Backward& run) const override {
    each([&](std::size_t first) {
      Real* sum = row(run.scratch, 0);
      std::fill_n(sum, run.lanes, 0.0F);
      for (std::size_t i = 0; i < size_; ++i) {
        const Real *y = row(run.y, first + i * inner_), *dy = row(run.dy, first + i * inner_);
        for (std::size_t l = 0; l < run.lanes; ++l) sum[l] += log_ ? dy[l] : y[l] * dy[l];
      }
      for (std::size_t i = 0; i < size_; ++i) {
        const Real *y = row(run.y, first + i * inner_), *dy = row(run.dy, first + i * inner_);
        Real* dx = row(run.dx[0], first + i * inner_);
        for (std::size_t l = 0; l < run.lanes; ++l)
          dx[l] = log_ ? dy[l] - std::exp(y[l]) * sum[l] : y[l] * (dy[l] - sum[l]);
      }
    });
  }
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  bool reads_y() const override { return true; }
  std::size_t scratch() const override { return 2; }
  double flops() const override { return 4.0 * static_cast<double>(outer_ * size_ * inner_); }

 private:
  template <class Visit>
  void each(Visit at) const {
    if (size_ == 0) return;
    for (std::size_t o = 0; o < outer_; ++o)
      for (std::size_t i = 0; i < inner_; ++i) at(o * size_ * inner_ + i);
  }
  std::size_t outer_, size_, inner_;
  bool log_;
};

}  // namespace

Value softmax(Builder& build, const Value& x, std::size_t axis, bool log) {
  return build.emit(std::make_unique<Softmax>(span_of(x.shape, 0, axis), dim(x.shape, axis),
                                              span_of(x.shape, axis + 1, x.shape.size()), log),
                    {x}, x.shape);
}

// Before operator set 13, the softmax runs over all axes from `axis` on, as if they were one.
void lower_softmax(Site& site) {
  const Value& x = site.in(0);
  const bool log = site.node().op == "LogSoftmax";
  const bool joined = site.version() < 13;
  const std::size_t axis = site.axis(site.integer("axis", joined ? 1 : -1), x.shape.size());
  if (!joined) return site.out(0, softmax(site.build, x, axis, log));
  const Value flat = site.build.view(x, {static_cast<std::int64_t>(span_of(x.shape, 0, axis)),
                                         static_cast<std::int64_t>(span_of(x.shape, axis, x.shape.size()))});
  site.out(0, site.build.view(softmax(site.build, flat, 1, log), x.shape));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
