#include "model/ops/dense.h"

#include <cmath>

#include "model/ops/affine.h"
#include "model/ops/image_conv.h"
#include "model/ops/loops.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

std::vector<Real> transpose(const LinearMap& map) {
  std::vector<Real> result(map.weight.size());
  for (std::size_t o = 0; o < map.out; ++o)
    for (std::size_t i = 0; i < map.in; ++i) result[i * map.out + o] = map.weight[o * map.in + i];
  return result;
}

}  // namespace

Dense::Dense(LinearMap map, std::size_t outer, std::size_t inner, Epilogue epilogue)
    : map_(std::move(map)), transposed_(transpose(map_)), outer_(outer), inner_(inner), epilogue_(epilogue) {
  map_.bias.resize(map_.out, 0.0F);
}

void Dense::forward(const Forward& run) const {
  const std::size_t xs = run.x[0].stride, ys = run.y.stride;
  for (std::size_t b = 0; b < outer_; ++b)
    for (std::size_t j = 0; j < inner_; ++j)
      multiply({map_.out, map_.in, map_.weight.data(), map_.bias.data(), nullptr, epilogue_},
               {row(run.x[0], b * map_.in * inner_ + j), xs * inner_},
               {row(run.y, b * map_.out * inner_ + j), ys * inner_}, run.lanes);
}

void Dense::backward(const Backward& run) const {
  const std::size_t xs = run.dx[0].stride, ys = run.dy.stride;
  for (std::size_t b = 0; b < outer_; ++b)
    for (std::size_t j = 0; j < inner_; ++j) {
      Const dy{row(run.dy, b * map_.out * inner_ + j), ys * inner_};
      if (epilogue_.given() && !gated_by_next_) {
        const Const y{row(run.y, b * map_.out * inner_ + j), run.y.stride * inner_};
        for (std::size_t o = 0; o < map_.out; ++o)
          apply_slope(epilogue_, row(y, o), row(dy, o), row(run.scratch, o), run.lanes);
        dy = {run.scratch.data, run.scratch.stride};
      }
      const Const gate = gates_previous_ ? run.x[0] : Const{};
      multiply({map_.in, map_.out, transposed_.data(), nullptr, nullptr, {}, gate}, dy,
               {row(run.dx[0], b * map_.in * inner_ + j), xs * inner_}, run.lanes);
    }
}

bool Dense::take_gate_of(Operator& previous) {
  auto* before = dynamic_cast<Dense*>(&previous);
  const auto plain = [](const Dense& dense) { return dense.outer_ == 1 && dense.inner_ == 1; };
  if (!before || before->epilogue_.kind != kernel::activation_relu || !plain(*this) || !plain(*before))
    return false;
  return gates_previous_ = before->gated_by_next_ = true;
}

std::unique_ptr<Operator> Dense::activated(Epilogue epilogue) const {
  return epilogue_.given() ? nullptr : std::make_unique<Dense>(map_, outer_, inner_, epilogue);
}

// With several columns this is a pointwise convolution, whose pixels are the columns.
std::shared_ptr<const ImageOp> Dense::on_images() const {
  if constexpr (is_double) {
    return nullptr;
  } else {
    if (outer_ != 1 || inner_ < 2) return nullptr;
    const Shape pixels = {static_cast<std::int64_t>(inner_)};
    const Window window{pixels, pixels, {1}, {1}, {1}, {0}, {0}};
    return ImageConv::make({1, map_.out, map_.in, 1, map_.weight, map_.bias}, window, epilogue_);
  }
}

std::unique_ptr<Operator> Dense::scaled(std::span<const Real> scale, std::span<const Real> shift) const {
  const auto by = per_channel(scale, map_.out, inner_), plus = per_channel(shift, map_.out, inner_);
  if (epilogue_.given() || !by || !plus) return nullptr;
  LinearMap map = map_;
  for (std::size_t o = 0; o < map.out; ++o) {
    for (std::size_t i = 0; i < map.in; ++i) map.weight[o * map.in + i] *= (*by)[o];
    map.bias[o] = map.bias[o] * (*by)[o] + (*plus)[o];
  }
  return std::make_unique<Dense>(std::move(map), outer_, inner_);
}

std::unique_ptr<Operator> Dense::after(const Operator& previous) const {
  LinearMap map{map_.out, map_.in, map_.weight, map_.bias};
  if (const auto* before = dynamic_cast<const Affine*>(&previous)) {
    const auto by = per_channel(before->scale(), map_.in, inner_);
    const auto plus = per_channel(before->shift(), map_.in, inner_);
    if (!by || !plus) return nullptr;
    for (std::size_t o = 0; o < map.out; ++o)
      for (std::size_t i = 0; i < map.in; ++i) {
        const Real offset = map.weight[o * map.in + i] * (*plus)[i];
        if (std::abs(offset) > Affine::far) return nullptr;
        map.bias[o] += offset;
        map.weight[o * map.in + i] *= (*by)[i];
      }
    return std::make_unique<Dense>(std::move(map), outer_, inner_, epilogue_);
  }
  const auto* before = dynamic_cast<const Dense*>(&previous);
  if (!before || before->epilogue_.given() || before->outer_ != outer_ || before->inner_ != inner_ ||
      before->map_.out != map_.in)
    return nullptr;
  const LinearMap& first = before->map_;
  if (map_.out * first.in > map_.out * map_.in + first.out * first.in) return nullptr;
  map.in = first.in;
  map.weight.assign(map.out * map.in, 0.0F);
  for (std::size_t o = 0; o < map.out; ++o) {
    std::vector<double> sum(map.in, 0.0);
    double bias = map_.bias[o];
    for (std::size_t k = 0; k < map_.in; ++k) {
      const double w = map_.weight[o * map_.in + k];
      bias += w * first.bias[k];
      for (std::size_t i = 0; i < map.in; ++i) sum[i] += w * first.weight[k * map.in + i];
    }
    for (std::size_t i = 0; i < map.in; ++i) map.weight[o * map.in + i] = static_cast<Real>(sum[i]);
    map.bias[o] = static_cast<Real>(bias);
  }
  return std::make_unique<Dense>(std::move(map), outer_, inner_, epilogue_);
}

Value dense(Builder& build, const Value& x, LinearMap map, std::size_t outer, std::size_t inner,
            Shape shape) {
  return build.emit(std::make_unique<Dense>(std::move(map), outer, inner), {x}, std::move(shape));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
