// Index arithmetic over row-major shapes, done once while planning.
#pragma once

#include <vector>

#include "model/onnx/tensor.h"

namespace scfe::onnx {

using Index = std::vector<std::size_t>;

Index strides_of(const Shape& shape);
// Calls visit(index) for every index of the shape in row-major order.
template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
  const std::size_t count = elements(shape);
  Index index(shape.size(), 0);
  for (std::size_t flat = 0; flat < count; ++flat) {
    visit(static_cast<const Index&>(index));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      index[axis] = 0;
    }
  }
}
inline std::size_t dim(const Shape& shape, std::size_t axis) { return static_cast<std::size_t>(shape[axis]); }

// Product of the dimensions in [from, to).
std::size_t span_of(const Shape& shape, std::size_t from, std::size_t to);

// numpy's broadcasting; Error naming `where` if the shapes do not fit.
Shape broadcast(const Shape& a, const Shape& b, const std::string& where);
// For each row of `to`, the row of `from` that is broadcast there.
std::vector<std::uint32_t> broadcast_rows(const Shape& from, const Shape& to);

}  // namespace scfe::onnx
