#include "model/onnx/tensor.h"

#include <cmath>
#include <limits>

#include "scfe/error.h"

namespace scfe::onnx {

std::string name_of(Type type) {
  switch (type) {
    case Type::real:
      return "real";
    case Type::integer:
      return "integer";
    case Type::boolean:
      return "boolean";
    case Type::text:
      return "text";
  }
  return "?";
}

std::size_t elements(const Shape& shape, std::size_t limit) {
  std::size_t product = 1;
  bool empty = false;
  for (const std::int64_t dim : shape) {
    if (dim < 0) throw Error("tensor shape", "dimensions of at least 0", to_text(shape));
    if (dim == 0) {
      empty = true;
      continue;
    }
    if (static_cast<std::size_t>(dim) > limit / product)
      throw Error("tensor shape", "at most " + std::to_string(limit) + " elements", to_text(shape));
    product *= static_cast<std::size_t>(dim);
  }
  return empty ? 0 : product;
}

std::string to_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

std::size_t Tensor::size() const {
  return type == Type::real ? reals.size() : type == Type::text ? texts.size() : integers.size();
}

double Tensor::real(std::size_t i) const {
  if (type == Type::text) throw Error("tensor", "numbers", "text");
  return type == Type::real ? reals.at(i) : static_cast<double>(integers.at(i));
}

std::int64_t Tensor::integer(std::size_t i) const {
  if (type == Type::text) throw Error("tensor", "numbers", "text");
  return type == Type::real ? to_integer(reals.at(i)) : integers.at(i);
}

Tensor integer_tensor(Shape shape, std::vector<std::int64_t> values) {
  Tensor tensor;
  tensor.type = Type::integer;
  tensor.shape = std::move(shape);
  tensor.integers = std::move(values);
  return tensor;
}

std::int64_t to_integer(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9.2233720e18) return std::numeric_limits<std::int64_t>::max();
  if (value <= -9.2233720e18) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace scfe::onnx
