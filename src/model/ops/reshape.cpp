// Reshape, Flatten, Squeeze, Unsqueeze, Identity, Dropout: the same rows with another shape.

#include "model/ops/index.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

std::vector<bool> marked(const Site& site, const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<bool> marks(rank, false);
  for (const std::int64_t axis : axes) {
    const std::size_t at = site.axis(axis, rank);
    if (marks[at]) site.fail("distinct axes", std::to_string(axis) + " twice");
    marks[at] = true;
  }
  return marks;
}

}  // namespace

void lower_reshape(Site& site) {
  const Value& x = site.in(0);
  Shape shape = site.has(1) ? site.integers(1) : site.integers("shape");
  const bool zero_is_zero = site.integer("allowzero", 0) != 0;
  std::size_t known = 1, open = shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !zero_is_zero) {
      if (i >= x.shape.size()) site.fail("a dimension to copy", to_text(shape));
      shape[i] = x.shape[i];
    }
    if (shape[i] == -1) {
      if (open != shape.size()) site.fail("at most one -1", to_text(shape));
      open = i;
      continue;
    }
    known *= elements({shape[i]});
    if (known > max_computed) site.fail("a shape of the operand's size", to_text(shape));
  }
  if (open != shape.size()) {
    if (known == 0 || x.rows() % known != 0)
      site.fail("a shape that " + to_text(x.shape) + " fits", to_text(shape));
    shape[open] = static_cast<std::int64_t>(x.rows() / known);
  }
  site.out(0, site.build.view(x, shape));
}

void lower_flatten(Site& site) {
  const Value& x = site.in(0);
  const std::int64_t given = site.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  if (given < -rank || given > rank) site.fail("an axis", std::to_string(given));
  const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  site.out(0, site.build.view(x, {static_cast<std::int64_t>(span_of(x.shape, 0, axis)),
                                  static_cast<std::int64_t>(span_of(x.shape, axis, x.shape.size()))}));
}

void lower_squeeze(Site& site) {
  const Value& x = site.in(0);
  const auto axes = site.listed(1, "axes");
  const std::vector<bool> drop = marked(site, axes.value_or(std::vector<std::int64_t>{}), x.shape.size());
  Shape shape;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (axes && drop[i] && x.shape[i] != 1) site.fail("axes of size 1", to_text(x.shape));
    if (!(axes ? drop[i] : x.shape[i] == 1)) shape.push_back(x.shape[i]);
  }
  site.out(0, site.build.view(x, shape));
}

void lower_unsqueeze(Site& site) {
  const Value& x = site.in(0);
  const auto axes = site.listed(1, "axes");
  if (!axes) site.fail("axes", "none");
  const std::vector<bool> added = marked(site, *axes, x.shape.size() + axes->size());
  Shape shape;
  std::size_t next = 0;
  for (const bool one : added) shape.push_back(one ? 1 : x.shape[next++]);
  site.out(0, site.build.view(x, shape));
}

void lower_identity(Site& site) {
  const Value& x = site.in(0);
  if (site.has(2) && site.constant(2).integer(0) != 0) site.fail("inference", "training mode");
  site.out(0, x);
  if (site.wants(1)) {  // Dropout's mask
    Tensor mask = integer_tensor(x.shape, std::vector<std::int64_t>(x.rows(), 1));
    mask.type = Type::boolean;
    site.out(1, site.build.constant(std::move(mask)));
  }
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
