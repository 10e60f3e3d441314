#include "model/ops/index.h"

#include <algorithm>

#include "scfe/error.h"

namespace scfe::onnx {

Index strides_of(const Shape& shape) {
  Index strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * dim(shape, axis);
  return strides;
}

std::size_t span_of(const Shape& shape, std::size_t from, std::size_t to) {
  std::size_t product = 1;
  for (std::size_t axis = from; axis < to; ++axis) product *= dim(shape, axis);
  return product;
}

Shape broadcast(const Shape& a, const Shape& b, const std::string& where) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t left = i < rank - a.size() ? 1 : a[i + a.size() - rank];
    const std::int64_t right = i < rank - b.size() ? 1 : b[i + b.size() - rank];
    if (left != right && left != 1 && right != 1)
      throw Error(where, "shapes that broadcast", to_text(a) + " and " + to_text(b));
    result[i] = left == 1 ? right : left;
  }
  return result;
}

std::vector<std::uint32_t> broadcast_rows(const Shape& from, const Shape& to) {
  const Index strides = strides_of(from);
  const std::size_t skip = to.size() - from.size();
  std::vector<std::uint32_t> rows;
  rows.reserve(elements(to));
  for_each_index(to, [&](const Index& index) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < from.size(); ++axis)
      if (from[axis] != 1) flat += index[axis + skip] * strides[axis];
    rows.push_back(static_cast<std::uint32_t>(flat));
  });
  return rows;
}

}  // namespace scfe::onnx
