// Slice, Split, Concat, Transpose, Expand, Tile, Pad: these reorder rows, leave some out or repeat some.
#include <algorithm>
#include <numeric>

#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Python's slice rule, with ONNX's clamping.
std::vector<std::size_t> sliced(const Site& site, std::int64_t begin, std::int64_t end, std::int64_t step,
                                std::int64_t size) {
  if (step == 0) site.fail("a step other than 0", "0");
  if (size == 0) return {};
  const auto wrapped = [&](std::int64_t at) { return at < 0 ? std::max(at, -size - 1) + size : at; };
  begin = std::clamp<std::int64_t>(wrapped(begin), 0, step > 0 ? size : size - 1);
  end = std::clamp<std::int64_t>(wrapped(end), -1, size);
  step = std::clamp<std::int64_t>(step, -size - 1, size + 1);
  std::vector<std::size_t> positions;
  for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step)
    positions.push_back(static_cast<std::size_t>(at));
  return positions;
}

std::vector<std::size_t> run(std::size_t first, std::size_t count) {
  std::vector<std::size_t> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

}  // namespace

void lower_slice(Site& site) {
  Value x = site.in(0);
  const auto starts = site.listed(1, "starts"), ends = site.listed(2, "ends");
  if (!starts || !ends || starts->size() != ends->size())
    site.fail("starts and ends of one length", "others");
  const auto axes = site.listed(3, "axes");
  const auto steps = site.has(4) ? site.integers(4) : std::vector<std::int64_t>(starts->size(), 1);
  if ((axes && axes->size() != starts->size()) || steps.size() != starts->size())
    site.fail("as many axes and steps as starts", "others");
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::size_t axis = site.axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), x.shape.size());
    x = take(site.build, x, axis, sliced(site, (*starts)[i], (*ends)[i], steps[i], x.shape[axis]));
  }
  site.out(0, x);
}

void lower_split(Site& site) {
  const Value& x = site.in(0);
  const std::size_t axis = site.axis(site.integer("axis", 0), x.shape.size()), size = dim(x.shape, axis);
  const std::size_t parts = site.outputs();
  auto sizes = site.listed(1, "split").value_or(std::vector<std::int64_t>{});
  if (sizes.empty()) {
    const std::size_t chunk = (size + parts - 1) / std::max<std::size_t>(parts, 1);
    for (std::size_t p = 0; p < parts; ++p)
      sizes.push_back(static_cast<std::int64_t>(std::min(chunk, size - std::min(size, p * chunk))));
  }
  if (sizes.size() != parts) site.fail(std::to_string(parts) + " sizes", std::to_string(sizes.size()));
  std::size_t first = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t count = elements({sizes[p]});
    if (count > size - first) site.fail("sizes that add up to " + std::to_string(size), to_text(sizes));
    if (site.wants(p)) site.out(p, take(site.build, x, axis, run(first, count)));
    first += count;
  }
}

void lower_concat(Site& site) {
  std::vector<Value> parts;
  for (std::size_t i = 0; i < site.inputs(); ++i) parts.push_back(site.in(i));
  if (parts.empty()) site.fail("inputs", "none");
  const std::size_t axis = site.axis(site.integer("axis", 1), parts[0].shape.size());
  for (const Value& part : parts) {
    bool same = part.shape.size() == parts[0].shape.size();
    for (std::size_t i = 0; same && i < part.shape.size(); ++i)
      same = i == axis || part.shape[i] == parts[0].shape[i];
    if (!same)
      site.fail("shapes equal but for the axis", to_text(parts[0].shape) + " and " + to_text(part.shape));
  }
  site.out(0, parts.size() == 1 ? parts[0] : concat(site.build, parts, axis));
}

void lower_transpose(Site& site) {
  const Value& x = site.in(0);
  std::vector<std::size_t> permutation;
  for (const std::int64_t axis : site.integers("perm"))
    permutation.push_back(site.axis(axis, x.shape.size()));
  if (permutation.empty())
    for (std::size_t i = x.shape.size(); i-- > 0;) permutation.push_back(i);
  std::vector<std::size_t> sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != run(0, x.shape.size()))
    site.fail("a permutation of the axes", std::to_string(sorted.size()) + " axes");
  site.out(0, transpose(site.build, x, permutation));
}

void lower_expand(Site& site) {
  const Shape shape = broadcast(site.in(0).shape, site.integers(1), label(site.node()));
  site.build.expect_repeated(site.in(0), shape);
  site.out(0, expand(site.build, site.in(0), shape));
}

void lower_tile(Site& site) {
  Value x = site.in(0);
  const auto repeats = site.integers(1);
  if (repeats.size() != x.shape.size()) site.fail("a repeat for each axis", std::to_string(repeats.size()));
  Shape whole = x.shape;
  for (std::size_t axis = 0; axis < repeats.size(); ++axis)
    whole[axis] = static_cast<std::int64_t>(elements({repeats[axis], whole[axis]}));
  site.build.expect_repeated(x, whole);
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    if (repeats[axis] == 1) continue;
    const std::size_t size = dim(x.shape, axis), total = dim(whole, axis);
    std::vector<std::size_t> positions(total);
    for (std::size_t i = 0; i < total; ++i) positions[i] = i % size;
    x = take(site.build, x, axis, positions);
  }
  site.out(0, x);
}

// Modes: constant, reflect, edge, wrap. Negative pads remove positions.
void lower_pad(Site& site) {
  const Value& x = site.in(0);
  const std::size_t rank = x.shape.size();
  const std::string mode = site.text("mode", "constant");
  const auto given = site.listed(1, "pads");
  std::vector<std::int64_t> axes = site.has(3) ? site.integers(3) : std::vector<std::int64_t>{};
  if (axes.empty())
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  if (!given || given->size() != 2 * axes.size()) site.fail("two pads for each axis", "others");
  const Real fill = site.has(2) && site.in(2).rows() == 1 ? site.reals(2)[0] : site.real("value", 0);
  Shape shape = x.shape;
  std::vector<std::int64_t> before(rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = site.axis(axes[i], rank);
    before[axis] = (*given)[i];
    for (const std::int64_t pad : {(*given)[i], (*given)[i + axes.size()]}) {
      if (std::abs(pad / 2) > static_cast<std::int64_t>(max_computed))
        site.fail("reasonable pads", std::to_string(pad));
      shape[axis] += pad;
    }
  }
  site.build.expect(shape);
  const Index strides = strides_of(x.shape);
  SparseMap map;
  for_each_index(shape, [&](const Index& index) {
    std::size_t flat = 0;
    bool inside = true;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::int64_t size = x.shape[axis];
      std::int64_t at = static_cast<std::int64_t>(index[axis]) - before[axis];
      if (at < 0 || at >= size) {
        if (mode == "constant" || size == 0)
          inside = false;
        else if (mode == "edge")
          at = std::clamp<std::int64_t>(at, 0, size - 1);
        else if (mode == "wrap")
          at = (at % size + size) % size;
        else if (mode == "reflect" && size > 1) {
          const std::int64_t period = 2 * (size - 1);
          at = (at % period + period) % period;
          at = at < size ? at : period - at;
        } else
          site.fail("constant, edge, reflect or wrap", mode);
      }
      if (inside) flat += static_cast<std::size_t>(at) * strides[axis];
    }
    if (inside)
      map.copy(flat);
    else
      map.end_row();
    map.fill.push_back(inside ? 0.0F : fill);
  });
  site.out(0, sparse(site.build, {x}, std::move(map), shape));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
