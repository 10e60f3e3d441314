// A linear map with constant weights: y = W x + b, applied to several columns at once.
//
//     y[b, o, j] = bias[o] + sum_i W[o, i] x[b, i, j]        b < outer, j < inner
//
// Gemm, MatMul with a constant on either side, pointwise convolutions and linear classifiers have this form.
// An activation that follows is applied to each strip of y while it is in the cache.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct LinearMap {
  std::size_t out = 0, in = 0;
  std::vector<Real> weight;  // [out][in]
  std::vector<Real> bias;    // [out]
};

class Dense : public Operator {
 public:
  Dense(LinearMap map, std::size_t outer, std::size_t inner, Epilogue epilogue = {});
  void forward(const Forward& run) const override;
  void backward(const Backward& run) const override;
  bool overwrites() const override { return true; }
  bool reads_x() const override { return gates_previous_; }
  bool reads_y() const override { return epilogue_.given(); }
  bool take_gate_of(Operator& previous) override;
  std::size_t scratch() const override { return epilogue_.given() ? map_.out : 0; }
  double flops() const override { return 2.0 * static_cast<double>(map_.weight.size() * outer_ * inner_); }
  std::size_t parameters() const override { return map_.weight.size() + map_.bias.size(); }
  std::unique_ptr<Operator> after(const Operator& previous) const override;
  std::unique_ptr<Operator> scaled(std::span<const Real> scale, std::span<const Real> shift) const override;
  std::unique_ptr<Operator> activated(Epilogue epilogue) const override;
  std::shared_ptr<const ImageOp> on_images() const override;

  // The map, or null if it is applied to more than one column.
  const LinearMap* map() const { return outer_ * inner_ == 1 ? &map_ : nullptr; }
  Epilogue epilogue() const { return epilogue_; }

 private:
  LinearMap map_;
  std::vector<Real> transposed_;  // [in][out]
  std::size_t outer_, inner_;
  Epilogue epilogue_;
  bool gates_previous_ = false, gated_by_next_ = false;
};

Value dense(Builder& build, const Value& x, LinearMap map, std::size_t outer, std::size_t inner, Shape shape);

}  // namespace scfe::onnx::inline SCFE_PRECISION
