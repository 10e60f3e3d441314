#include "method/leaves.h"

#include <algorithm>
#include <limits>

namespace scfe {
namespace {

bool decides_for(const Ensemble& tree, const Ensemble::Node& leaf, std::size_t target) {
  std::vector<double> total = tree.base;
  for (std::uint32_t v = leaf.first; v < leaf.last; ++v)
    total[tree.values[v].score] += tree.scale * tree.values[v].value;
  if (total.size() == 1) {
    const double half = tree.link == Ensemble::Link::probability ? 0.5 : 0.0;
    return target == 1 ? total[0] > half : total[0] < half;
  }
  return std::ranges::none_of(
      total, [&](const double& other) { return &other != &total[target] && other >= total[target]; });
}

void walk(const Ensemble& tree, std::uint32_t at, std::size_t target, LeafBox box,
          std::vector<LeafBox>& leaves) {
  const Ensemble::Node& node = tree.nodes[at];
  if (node.split == Ensemble::Split::leaf) {
    if (decides_for(tree, node, target)) leaves.push_back(std::move(box));
    return;
  }
  LeafBox left = box, right = std::move(box);
  left.up_to[node.input] = std::min(left.up_to[node.input], node.threshold);
  right.above[node.input] = std::max(right.above[node.input], node.threshold);
  walk(tree, node.left, target, std::move(left), leaves);
  walk(tree, node.right, target, std::move(right), leaves);
}

}  // namespace

bool is_single_tree(const Ensemble& ensemble) {
  return ensemble.roots.size() == 1 && std::ranges::none_of(ensemble.nodes, [](const Ensemble::Node& node) {
           return node.split == Ensemble::Split::codes;
         });
}

std::vector<LeafBox> leaves_of_class(const Ensemble& tree, int target) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<LeafBox> leaves;
  walk(tree, tree.roots[0], static_cast<std::size_t>(target),
       {std::vector<double>(tree.inputs, -far), std::vector<double>(tree.inputs, far)}, leaves);
  return leaves;
}

}  // namespace scfe
