// A constant of the graph: an initialiser, an attribute, or the result of folding constants.
//
// Four kinds of numbers are enough for classifiers: reals (held as double, also if the model runs in float),
// integers, booleans (held as integers) and text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scfe::onnx {

enum class Type { real, integer, boolean, text };
std::string name_of(Type type);

using Shape = std::vector<std::int64_t>;

// The largest tensor that a file may declare or compute without holding its bytes: 64 MB of floats.
inline constexpr std::size_t max_computed = std::size_t{1} << 24;

// Product of the dimensions; Error if one is negative or the product exceeds `limit`.
std::size_t elements(const Shape& shape, std::size_t limit = max_computed);
std::string to_text(const Shape& shape);

struct Tensor {
  Type type = Type::real;
  bool wide = false;  // Type::real: doubles in the file
  Shape shape;
  std::vector<double> reals;           // Type::real
  std::vector<std::int64_t> integers;  // Type::integer and Type::boolean
  std::vector<std::string> texts;      // Type::text

  std::size_t size() const;
  double real(std::size_t i) const;           // any numeric type
  std::int64_t integer(std::size_t i) const;  // any numeric type; saturates
};

template <class Number = double>
Tensor real_tensor(Shape shape, const std::vector<Number>& values) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  tensor.reals.assign(values.begin(), values.end());
  return tensor;
}
Tensor integer_tensor(Shape shape, std::vector<std::int64_t> values);
// Truncates towards zero, saturates at the ends of the range, and turns NaN into 0.
std::int64_t to_integer(double value);

using TensorPtr = std::shared_ptr<const Tensor>;

}  // namespace scfe::onnx
