// DepthToSpace, SpaceToDepth, Trilu, CumSum, OneHot, EyeLike, GatherND: operators that mostly move rows.
#include <algorithm>

#include "model/onnx/element_type.h"
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {

void lower_depth_to_space(Site& site) {
  const Value& x = site.in(0);
  const std::int64_t block = site.integer("blocksize", 0);
  if (x.shape.size() != 4 || block < 1 || block > 4096)
    site.fail("(batch, channels, h, w) and a blocksize", to_text(x.shape));
  const std::int64_t n = x.shape[0], c = x.shape[1], h = x.shape[2], w = x.shape[3];
  Builder& build = site.build;
  if (site.node().op == "SpaceToDepth") {
    if (h % block != 0 || w % block != 0) site.fail("sizes divisible by the blocksize", to_text(x.shape));
    const Value cut = build.view(x, {n, c, h / block, block, w / block, block});
    const bool channels_first = site.text("mode", "DCR") == "CRD";
    const Value moved =
        transpose(build, cut, channels_first ? Index{0, 1, 3, 5, 2, 4} : Index{0, 3, 5, 1, 2, 4});
    return site.out(0, build.view(moved, {n, c * block * block, h / block, w / block}));
  }
  if (c % (block * block) != 0) site.fail("channels divisible by blocksize²", to_text(x.shape));
  const std::int64_t left = c / (block * block);
  const bool columns = site.text("mode", "DCR") == "CRD";
  const Value cut =
      build.view(x, columns ? Shape{n, left, block, block, h, w} : Shape{n, block, block, left, h, w});
  const Value moved = transpose(build, cut, columns ? Index{0, 1, 4, 2, 5, 3} : Index{0, 3, 4, 1, 5, 2});
  site.out(0, build.view(moved, {n, left, h * block, w * block}));
}

// The upper or lower triangle of the last two axes; zeros elsewhere.
void lower_trilu(Site& site) {
  const Value& x = site.in(0);
  if (x.shape.size() < 2) site.fail("matrices", to_text(x.shape));
  const bool upper = site.integer("upper", 1) != 0;
  const std::int64_t k = site.has(1) ? site.constant(1).integer(0) : 0;
  SparseMap map;
  std::size_t flat = 0;
  for_each_index(x.shape, [&](const Index& index) {
    const auto i = static_cast<std::int64_t>(index[index.size() - 2]),
               j = static_cast<std::int64_t>(index.back());
    const bool kept = upper ? j - i >= k : j - i <= k;
    if (kept)
      map.copy(flat);
    else
      map.end_row();
    ++flat;
  });
  site.out(0, sparse(site.build, {x}, std::move(map), x.shape));
}

void lower_cumsum(Site& site) {
  const Value& x = site.in(0);
  const std::size_t axis = site.axis(site.constant(1).integer(0), x.shape.size()), size = dim(x.shape, axis);
  const bool exclusive = site.integer("exclusive", 0) != 0, reverse = site.integer("reverse", 0) != 0;
  elements({static_cast<std::int64_t>(x.rows()), static_cast<std::int64_t>(size)});
  const std::size_t stride = strides_of(x.shape)[axis];
  SparseMap map;
  std::size_t flat = 0;
  for_each_index(x.shape, [&](const Index& index) {
    const std::size_t at = index[axis], base = flat - at * stride;
    const std::size_t first = reverse ? at + (exclusive ? 1 : 0) : 0,
                      last = reverse ? size : at + (exclusive ? 0 : 1);
    for (std::size_t k = first; k < last; ++k)
      map.terms.push_back({0, static_cast<std::uint32_t>(base + k * stride), 1.0F});
    map.end_row();
    ++flat;
  });
  site.out(0, sparse(site.build, {x}, std::move(map), x.shape));
}

// off + (on - off) [index == k]; the gradient of the indices is zero.
void lower_one_hot(Site& site) {
  Value index = site.in(0);
  const std::string where_ = label(site.node());
  if (site.constant(1).size() != 1 || site.constant(2).size() != 2)
    site.fail("a depth and two values", "others");
  const std::int64_t depth = site.constant(1).integer(0);
  const std::size_t rank = index.shape.size() + 1, axis = site.axis(site.integer("axis", -1), rank);
  const std::size_t count = elements({depth});
  Builder& build = site.build;
  const Value size = build.constant(real_tensor({}, {static_cast<Real>(depth)}));
  const Value negative = binary(build, "Less", index, scalar(build, 0), where_);
  index = where(build, negative, binary(build, "Add", index, size, where_), index, where_);
  Shape wide = index.shape, levels(rank, 1);
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  levels[axis] = depth;
  std::vector<Real> steps(count);
  for (std::size_t k = 0; k < count; ++k) steps[k] = static_cast<Real>(k);
  const Value hit =
      binary(build, "Equal", build.view(index, wide), build.constant(real_tensor(levels, steps)), where_);
  const auto given = [&](std::size_t k) {
    return build.view(take(build, build.view(site.in(2), {2}), 0, {k}), {});
  };
  site.out(0, where(build, hit, given(1), given(0), where_));
}

void lower_eye_like(Site& site) {
  const Shape& shape = site.in(0).shape;
  if (shape.size() != 2) site.fail("a matrix", to_text(shape));
  const Type type = site.has("dtype")
                        ? type_of(static_cast<std::int32_t>(site.integer("dtype", 1)), label(site.node()))
                        : site.in(0).type;
  if (type == Type::text) site.fail("numbers", "text");
  const std::int64_t k = site.integer("k", 0);
  std::vector<std::int64_t> eye(elements(shape));
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    const std::int64_t j = std::clamp<std::int64_t>(k, -shape[0], shape[1]) + i;
    if (j >= 0 && j < shape[1]) eye[static_cast<std::size_t>(i * shape[1] + j)] = 1;
  }
  Tensor tensor = type == Type::real ? real_tensor(shape, eye) : integer_tensor(shape, std::move(eye));
  tensor.type = type;
  site.out(0, site.build.constant(std::move(tensor)));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
