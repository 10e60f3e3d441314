#include "model/ops/trees.h"

#include <cmath>

#include "model/ops/index.h"
#include "scfe/error.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class Trees : public Operator {
 public:
  Trees(Forest forest, std::size_t rows) : forest_(std::move(forest)), rows_(rows) {}

  void forward(const Forward& run) const override {
    const std::size_t targets = forest_.base.size();
    for (std::size_t r = 0; r < rows_; ++r) {
      const Const x{row(run.x[0], r * forest_.features), run.x[0].stride};
      const Mutable y{row(run.y, r * targets), run.y.stride};
      for (std::size_t l = 0; l < run.lanes; ++l) evaluate(x, y, l);
    }
  }
  void backward(const Backward&) const override {}
  bool differentiable() const override { return false; }
  double flops() const override { return 10.0 * static_cast<double>(rows_ * forest_.roots.size()); }
  std::size_t parameters() const override { return forest_.nodes.size() + forest_.weights.size(); }
  const Forest* forest() const override { return rows_ == 1 ? &forest_ : nullptr; }

 private:
  void evaluate(Const x, Mutable y, std::size_t lane) const {
    const std::size_t targets = forest_.base.size();
    const bool extreme = forest_.aggregate == Aggregate::min || forest_.aggregate == Aggregate::max;
    for (std::size_t k = 0; k < targets; ++k) row(y, k)[lane] = extreme ? std::nanf("") : 0.0F;
    for (const std::uint32_t root : forest_.roots) {
      const TreeNode& leaf = descend(x, root, lane);
      for (std::uint32_t w = leaf.first; w < leaf.last; ++w) {
        Real& total = row(y, forest_.weights[w].target)[lane];
        const Real value = forest_.weights[w].value;
        if (!extreme)
          total += value;
        else if (std::isnan(total) || (forest_.aggregate == Aggregate::min) == (value < total))
          total = value;
      }
    }
    for (std::size_t k = 0; k < targets; ++k) {
      Real& total = row(y, k)[lane];
      if (extreme && std::isnan(total)) total = 0;
      if (forest_.aggregate == Aggregate::average) total /= static_cast<Real>(forest_.roots.size());
      total += forest_.base[k];
    }
  }

  const TreeNode& descend(Const x, std::uint32_t at, std::size_t lane) const {
    const TreeNode* node = &forest_.nodes[at];
    while (node->mode != TreeNode::Mode::leaf) {
      const Real value = row(x, node->feature)[lane];
      const bool yes = std::isnan(value) ? node->missing_is_true || node->mode == TreeNode::Mode::neq
                                         : compare(*node, value);
      node = &forest_.nodes[yes ? node->yes : node->no];
    }
    return *node;
  }

  static bool compare(const TreeNode& node, Real x) {
    using Mode = TreeNode::Mode;
    if (node.mode == Mode::leq) return x <= node.value;
    if (node.mode == Mode::lt) return x < node.value;
    if (node.mode == Mode::gte) return x >= node.value;
    if (node.mode == Mode::gt) return x > node.value;
    return node.mode == Mode::eq ? x == node.value : x != node.value;
  }

  Forest forest_;
  std::size_t rows_;
};

// Throws an Error if a tree has a cycle, in which evaluation would never end.
void check(const Forest& forest, const std::string& where) {
  std::vector<std::uint8_t> state(forest.nodes.size(), 0);  // 0: not seen, 1: on the path, 2: done
  for (const std::uint32_t root : forest.roots) {
    std::vector<std::pair<std::uint32_t, bool>> stack = {{root, false}};
    while (!stack.empty()) {
      const auto [at, leaving] = stack.back();
      stack.pop_back();
      if (leaving) {
        state[at] = 2;
        continue;
      }
      if (state[at] == 2) continue;
      if (state[at] == 1) throw Error(where, "trees", "a cycle of nodes");
      state[at] = 1;
      stack.emplace_back(at, true);
      const TreeNode& node = forest.nodes[at];
      if (node.mode == TreeNode::Mode::leaf) continue;
      if (node.feature >= forest.features)
        throw Error(where, "features below " + std::to_string(forest.features), std::to_string(node.feature));
      stack.emplace_back(node.yes, false);
      stack.emplace_back(node.no, false);
    }
  }
}

}  // namespace

Value trees(Builder& build, const Value& x, Forest forest) {
  if (x.shape.empty() || x.shape.size() > 2)
    throw Error("tree ensemble", "rows of features", to_text(x.shape));
  const std::int64_t rows = x.shape.size() == 2 ? x.shape[0] : 1;
  forest.features = dim(x.shape, x.shape.size() - 1);
  if (forest.roots.empty()) throw Error("tree ensemble", "trees", "none");
  check(forest, "tree ensemble");
  const auto targets = static_cast<std::int64_t>(forest.base.size());
  return build.emit(std::make_unique<Trees>(std::move(forest), static_cast<std::size_t>(rows)), {x},
                    {rows, targets});
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
