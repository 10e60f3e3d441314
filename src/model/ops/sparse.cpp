#include "model/ops/sparse.h"

#include <algorithm>

#include "model/ops/index.h"
#include "scfe/error.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class Sparse : public Operator {
 public:
  explicit Sparse(SparseMap map) : map_(std::move(map)) { map_.fill.resize(map_.begin.size() - 1, 0.0F); }

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i + 1 < map_.begin.size(); ++i) {
      Real* y = row(run.y, i);
      const std::uint32_t first = map_.begin[i], last = map_.begin[i + 1];
      if (last == first + 1 && map_.terms[first].weight == 1.0F && map_.fill[i] == 0.0F) {
        std::copy_n(row(run.x[map_.terms[first].operand], map_.terms[first].row), run.lanes, y);
        continue;
      }
      std::fill_n(y, run.lanes, map_.fill[i]);
      for (std::uint32_t t = first; t < last; ++t) {
        const Term term = map_.terms[t];
        const Real* x = row(run.x[term.operand], term.row);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] += term.weight * x[l];
      }
    }
  }

  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i + 1 < map_.begin.size(); ++i) {
      const Real* dy = row(run.dy, i);
      for (std::uint32_t t = map_.begin[i]; t < map_.begin[i + 1]; ++t) {
        const Term term = map_.terms[t];
        if (!run.dx[term.operand].data) continue;
        Real* dx = row(run.dx[term.operand], term.row);
        for (std::size_t l = 0; l < run.lanes; ++l) dx[l] += term.weight * dy[l];
      }
    }
  }

  bool reads_x() const override { return false; }
  double flops() const override { return 2.0 * static_cast<double>(map_.terms.size()); }
  std::optional<RowOrigin> origin(std::size_t i) const override {
    if (map_.begin[i + 1] != map_.begin[i] + 1) return std::nullopt;
    const Term& term = map_.terms[map_.begin[i]];
    return RowOrigin{.operand = term.operand, .row = term.row, .scale = term.weight, .shift = map_.fill[i]};
  }
  RowRule rule(std::size_t i) const override {
    RowRule rule;
    for (std::uint32_t t = map_.begin[i]; t < map_.begin[i + 1]; ++t)
      rule.reads.push_back({map_.terms[t].operand, map_.terms[t].row});
    return rule;
  }

 private:
  SparseMap map_;
};

}  // namespace

Value sparse(Builder& build, const std::vector<Value>& x, SparseMap map, Shape shape) {
  const Type type = x.front().type;
  std::vector<std::uint32_t> origin;
  if (type == Type::text)
    for (const Term& term : map.terms)
      if (!x[term.operand].origin.empty()) origin.push_back(x[term.operand].origin[term.row]);
  Value y = build.emit(std::make_unique<Sparse>(std::move(map)), x, std::move(shape), type);
  y.origin = std::move(origin);
  return y;
}

Value select(Builder& build, const Value& x, const std::vector<std::uint32_t>& rows, Shape shape) {
  bool identity = rows.size() == x.rows();
  for (std::size_t i = 0; identity && i < rows.size(); ++i) identity = rows[i] == i;
  if (identity) return build.view(x, std::move(shape));
  SparseMap map;
  map.begin.reserve(rows.size() + 1);
  map.terms.reserve(rows.size());
  for (const std::uint32_t row : rows) map.copy(row);
  return sparse(build, {x}, std::move(map), std::move(shape));
}

Value expand(Builder& build, const Value& x, const Shape& shape) {
  return select(build, x, broadcast_rows(x.shape, shape), shape);
}

Value transpose(Builder& build, const Value& x, const std::vector<std::size_t>& permutation) {
  if (permutation.size() != x.shape.size())
    throw Error("tensor", std::to_string(permutation.size()) + " axes", to_text(x.shape));
  Shape shape;
  for (const std::size_t axis : permutation) shape.push_back(x.shape[axis]);
  const Index strides = strides_of(x.shape);
  std::vector<std::uint32_t> rows;
  for_each_index(shape, [&](const Index& index) {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < index.size(); ++i) flat += index[i] * strides[permutation[i]];
    rows.push_back(static_cast<std::uint32_t>(flat));
  });
  return select(build, x, rows, shape);
}

Value concat(Builder& build, const std::vector<Value>& parts, std::size_t axis) {
  Shape shape = parts.front().shape;
  shape[axis] = 0;
  for (const Value& part : parts) shape[axis] += part.shape[axis];
  SparseMap map;
  const std::size_t outer = span_of(shape, 0, axis);
  build.expect(shape);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const std::size_t rows = span_of(parts[p].shape, axis, parts[p].shape.size());
      for (std::size_t i = 0; i < rows; ++i) map.copy(o * rows + i, p);
    }
  return sparse(build, parts, std::move(map), shape);
}

Value take(Builder& build, const Value& x, std::size_t axis, const std::vector<std::size_t>& positions) {
  Shape shape = x.shape;
  if (axis >= shape.size()) throw Error("tensor", "an axis " + std::to_string(axis), to_text(shape));
  const std::size_t size = dim(shape, axis), outer = span_of(shape, 0, axis);
  for (const std::size_t at : positions)
    if (at >= size)
      throw Error("tensor", "an entry " + std::to_string(at) + " of axis " + std::to_string(axis),
                  to_text(shape));
  const std::size_t inner = span_of(shape, axis + 1, shape.size());
  shape[axis] = static_cast<std::int64_t>(positions.size());
  build.expect(shape);
  std::vector<std::uint32_t> rows;
  for (std::size_t o = 0; o < outer; ++o)
    for (const std::size_t at : positions)
      for (std::size_t i = 0; i < inner; ++i)
        rows.push_back(static_cast<std::uint32_t>((o * size + at) * inner + i));
  return select(build, x, rows, shape);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
