// ReduceSum and ReduceMean are sparse linear maps, ReduceMax and ReduceMin pick rows; the others are
// built from them:
//     L1 = sum |x|,  L2 = sqrt sum x²,  SumSquare = sum x²,  LogSum = log sum x,
//     LogSumExp = m + log sum e^(x - m),  Prod by repeated products.
#include <algorithm>
#include <set>

#include "model/ops/axes.h"
#include "model/ops/elementwise.h"
#include "model/ops/extreme.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

struct Groups {
  std::vector<std::vector<std::uint32_t>> members;  // rows of each result, in order
  Shape shape;
};

Groups groups_of(const Shape& shape, const Axes& axes) {
  Shape kept = shape, result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (axes.reduced[i]) kept[i] = 1;
    if (!axes.reduced[i] || axes.keep) result.push_back(kept[i]);
  }
  Groups groups{std::vector<std::vector<std::uint32_t>>(elements(kept)), result};
  const Index strides = strides_of(kept);
  std::uint32_t row = 0;
  for_each_index(shape, [&](const Index& index) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      if (!axes.reduced[i]) to += index[i] * strides[i];
    groups.members[to].push_back(row++);
  });
  return groups;
}

Value product(Builder& build, const Value& x, const Axes& axes, const std::string& where) {
  const Groups groups = groups_of(x.shape, axes);
  const std::size_t count = groups.members.empty() ? 0 : groups.members[0].size();
  Value total = build.constant(real_tensor(groups.shape, std::vector<Real>(elements(groups.shape), 1.0F)));
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::uint32_t> rows;
    for (const auto& members : groups.members) rows.push_back(members[k]);
    const Value factor = select(build, x, rows, groups.shape);
    total = k == 0 ? factor : binary(build, "Mul", total, factor, where);
  }
  return total;
}

// The axes are an input since operator set 18 (13 for sums), and an attribute before. Without axes, all are
// reduced.
Axes read_axes(const Site& site) {
  const std::size_t rank = site.in(0).shape.size();
  const auto given = site.listed(1, "axes");
  Axes axes{std::vector<bool>(rank, false), site.integer("keepdims", 1) != 0};
  if (given)
    for (const std::int64_t axis : *given) axes.reduced[site.axis(axis, rank)] = true;
  if ((!given || given->empty()) && site.integer("noop_with_empty_axes", 0) == 0)
    axes.reduced.assign(rank, true);
  return axes;
}

}  // namespace

Value reduce_sum(Builder& build, const Value& x, const Axes& axes, bool mean) {
  const Groups groups = groups_of(x.shape, axes);
  SparseMap map;
  for (const auto& members : groups.members) {
    const Real weight = mean ? 1.0F / static_cast<Real>(members.size()) : 1.0F;
    for (const std::uint32_t row : members) map.terms.push_back({0, row, weight});
    map.end_row();
  }
  return sparse(build, {x}, std::move(map), groups.shape);
}

Value reduce_max(Builder& build, const Value& x, const Axes& axes, bool least) {
  const Groups groups = groups_of(x.shape, axes);
  RowLists lists;
  for (const auto& members : groups.members) {
    lists.rows.insert(lists.rows.end(), members.begin(), members.end());
    lists.end_list();
  }
  return least ? smallest(build, x, std::move(lists), groups.shape)
               : largest(build, x, std::move(lists), groups.shape);
}

namespace {

// The mean of integers uses integer division.
Value mean(Builder& build, const Value& x, const Axes& axes, const std::string& where) {
  if (x.type != Type::integer) return reduce_sum(build, x, axes, true);
  const Value sum = reduce_sum(build, x, axes);
  const std::size_t count = x.rows() / std::max<std::size_t>(1, sum.rows());
  const Value divisor = build.constant(integer_tensor({}, {static_cast<std::int64_t>(count)}));
  return binary(build, "Div", sum, divisor, where);
}

}  // namespace

void lower_reduce(Site& site) {
  const std::string& op = site.node().op;
  const std::string where = label(site.node());
  const Value& x = site.in(0);
  const Axes axes = read_axes(site);
  Builder& build = site.build;
  static const std::set<std::string, std::less<>> roots = {"ReduceL2", "ReduceLogSum", "ReduceLogSumExp"};
  if (x.type == Type::integer && roots.contains(op)) site.fail("reals", "integers");
  if (op == "ReduceSum") return site.out(0, reduce_sum(build, x, axes));
  if (op == "ReduceMean") return site.out(0, mean(build, x, axes, where));
  if (op == "ReduceMax") return site.out(0, reduce_max(build, x, axes));
  if (op == "ReduceMin") return site.out(0, reduce_max(build, x, axes, true));
  if (op == "ReduceProd") return site.out(0, product(build, x, axes, where));
  if (op == "ReduceL1") return site.out(0, reduce_sum(build, unary(build, "Abs", x), axes));
  if (op == "ReduceLogSum") return site.out(0, unary(build, "Log", reduce_sum(build, x, axes)));
  if (op == "ReduceSumSquare" || op == "ReduceL2") {
    const Value sum = reduce_sum(build, binary(build, "Mul", x, x, where), axes);
    return site.out(0, op == "ReduceL2" ? unary(build, "Sqrt", sum) : sum);
  }
  if (op == "ReduceLogSumExp") {
    const Value peak = reduce_max(build, x, {axes.reduced, true});
    const Value exps = unary(build, "Exp", binary(build, "Sub", x, peak, where));
    const Value sum = unary(build, "Log", reduce_sum(build, exps, axes));
    return site.out(0, binary(build, "Add", sum, build.view(peak, sum.shape), where));
  }
  site.fail("a known reduction", op);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
