// Gather and GatherElements. With constant indices they move rows; with indices that depend on the input
// (embeddings) each lane looks up its own row, and the indices have gradient zero.
#include <algorithm>

#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// y[o, n, i] = x[o, index[n], i], each lane with its own index; an index out of range is clamped.
class Lookup : public Operator {
 public:
  struct Sizes {
    std::size_t outer, size, inner, count;
  };
  explicit Lookup(Sizes sizes) : n_(sizes) {}

  void forward(const Forward& run) const override {
    each([&](std::size_t index, std::size_t base, std::size_t y) {
      for (std::size_t l = 0; l < run.lanes; ++l)
        row(run.y, y)[l] = row(run.x[0], base + at(row(run.x[1], index)[l]) * n_.inner)[l];
    });
  }
  void backward(const Backward& run) const override {
    if (!run.dx[0].data) return;
    each([&](std::size_t index, std::size_t base, std::size_t y) {
      for (std::size_t l = 0; l < run.lanes; ++l)
        row(run.dx[0], base + at(row(run.x[1], index)[l]) * n_.inner)[l] += row(run.dy, y)[l];
    });
  }
  bool chooses_by(std::size_t operand) const override { return operand == 1; }
  double flops() const override { return static_cast<double>(n_.outer * n_.count * n_.inner); }

 private:
  std::size_t at(Real index) const {
    const Real wrapped = index < 0 ? index + static_cast<Real>(n_.size) : index;
    if (!(wrapped > 0)) return 0;
    return std::min(static_cast<std::size_t>(std::min(wrapped, Real{1e9})), n_.size - 1);
  }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t o = 0; o < n_.outer; ++o)
      for (std::size_t n = 0; n < n_.count; ++n)
        for (std::size_t i = 0; i < n_.inner; ++i)
          visit(n, o * n_.size * n_.inner + i, (o * n_.count + n) * n_.inner + i);
  }
  Sizes n_;
};

std::size_t wrapped(const Site& site, std::int64_t index, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  if (index < -count || index >= count)
    site.fail("indices within " + std::to_string(size), std::to_string(index));
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

void gather_elements(Site& site) {
  const Value &x = site.in(0), &index = site.in(1);
  const std::size_t axis = site.axis(site.integer("axis", 0), x.shape.size());
  if (index.shape.size() != x.shape.size()) site.fail("indices of the operand's rank", to_text(index.shape));
  const std::vector<std::int64_t> at = site.integers(1);
  const Index strides = strides_of(x.shape);
  std::vector<std::uint32_t> rows;
  for_each_index(index.shape, [&](const Index& position) {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
      const std::size_t p = i == axis ? wrapped(site, at[rows.size()], dim(x.shape, i)) : position[i];
      if (p >= dim(x.shape, i)) site.fail("indices within the operand", to_text(index.shape));
      flat += p * strides[i];
    }
    rows.push_back(static_cast<std::uint32_t>(flat));
  });
  site.out(0, select(site.build, x, rows, index.shape));
}

}  // namespace

void lower_gather(Site& site) {
  if (site.in(1).constant && site.in(1).type != Type::integer)
    site.fail("integers as indices", name_of(site.in(1).type));
  if (site.node().op == "GatherElements") return gather_elements(site);
  const Value &x = site.in(0), &index = site.in(1);
  const std::size_t axis = site.axis(site.integer("axis", 0), x.shape.size()), size = dim(x.shape, axis);
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), index.shape.begin(), index.shape.end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
  if (index.constant) {
    std::vector<std::size_t> positions;
    for (const std::int64_t at : site.integers(1)) positions.push_back(wrapped(site, at, size));
    return site.out(0, site.build.view(take(site.build, x, axis, positions), shape));
  }
  if (size == 0) site.fail("rows to look up", "none");
  site.out(0, site.build.emit(std::make_unique<Lookup>(
                                  Lookup::Sizes{span_of(x.shape, 0, axis), size,
                                                span_of(x.shape, axis + 1, x.shape.size()), index.rows()}),
                              {x, index}, shape, x.type));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
