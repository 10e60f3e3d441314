// Constant, ConstantOfShape, Shape, Size, Range, EyeLike: known while planning.
#include <algorithm>
#include <cmath>

#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {

void lower_constant(Site& site) {
  if (const TensorPtr value = site.tensor("value")) return site.out(0, site.build.constant(value));
  Tensor tensor;
  if (site.has("value_float")) {
    tensor = real_tensor({}, {site.real("value_float", 0)});
  } else if (site.has("value_floats")) {
    const auto values = site.reals("value_floats");
    tensor = real_tensor({static_cast<std::int64_t>(values.size())}, values);
  } else if (site.has("value_int")) {
    tensor = integer_tensor({}, {site.integer("value_int", 0)});
  } else if (site.has("value_ints")) {
    const auto values = site.integers("value_ints");
    tensor = integer_tensor({static_cast<std::int64_t>(values.size())}, values);
  } else if (site.has("value_string") || site.has("value_strings")) {
    tensor.type = Type::text;
    tensor.texts =
        site.has("value_string") ? std::vector{site.text("value_string", "")} : site.texts("value_strings");
    if (!site.has("value_string")) tensor.shape = {static_cast<std::int64_t>(tensor.texts.size())};
  } else {
    site.fail("a value", "none that we take");
  }
  site.out(0, site.build.constant(std::move(tensor)));
}

void lower_constant_of_shape(Site& site) {
  const Shape shape = site.integers(0);
  site.build.expect(shape);
  const std::size_t count = elements(shape);
  const TensorPtr given = site.tensor("value");
  if (given && given->size() != 1) site.fail("a value of one element", std::to_string(given->size()));
  Tensor tensor;
  tensor.shape = shape;
  if (!given || given->type == Type::real) {
    tensor.reals.assign(count, given ? given->reals[0] : 0);
  } else {
    tensor.type = given->type;
    tensor.integers.assign(count, given->integer(0));
  }
  site.out(0, site.build.constant(std::move(tensor)));
}

void lower_shape(Site& site) {
  const Shape& shape = site.in(0).shape;
  if (site.node().op == "Size")
    return site.out(0, site.build.constant(integer_tensor({}, {static_cast<std::int64_t>(elements(shape))})));
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto bound = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t start = bound(site.integer("start", 0)), end = bound(site.integer("end", rank));
  std::vector<std::int64_t> part;
  for (std::int64_t i = start; i < end; ++i) part.push_back(shape[static_cast<std::size_t>(i)]);
  const auto count = static_cast<std::int64_t>(part.size());
  site.out(0, site.build.constant(integer_tensor({count}, std::move(part))));
}

void lower_range(Site& site) {
  const Tensor &start = site.constant(0), &limit = site.constant(1), &delta = site.constant(2);
  if (start.size() != 1 || limit.size() != 1 || delta.size() != 1) site.fail("scalars", "tensors");
  const double from = start.real(0), step = delta.real(0);
  if (step == 0) site.fail("a step other than 0", "0");
  const double length = std::ceil((limit.real(0) - from) / step);
  if (!(length < static_cast<double>(max_computed))) site.fail("a bounded range", "more");
  const auto count = static_cast<std::size_t>(std::max(0.0, length));
  Tensor tensor;
  tensor.type = start.type;
  tensor.shape = {static_cast<std::int64_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const double value = from + static_cast<double>(i) * step;
    if (tensor.type == Type::real)
      tensor.reals.push_back(static_cast<Real>(value));
    else
      tensor.integers.push_back(static_cast<std::int64_t>(value));
  }
  site.out(0, site.build.constant(std::move(tensor)));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
