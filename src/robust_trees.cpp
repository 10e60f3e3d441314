// Tree ensembles: branch and bound over the cells that a box meets.
#include <algorithm>
#include <cmath>

#include "model/ensemble.h"
#include "robust.h"

namespace scfe {
namespace {

constexpr std::size_t most_boxes = 20000;  // that are looked at

// The least total of one score, or of one class less another, over the boxes that are left.
class Cells {
 public:
  Cells(const Ensemble& ensemble, std::size_t wished, std::optional<std::size_t> rival, double sign)
      : ensemble_(ensemble), wished_(wished), rival_(rival), sign_(sign) {}

  // Lower bound: the least leaf of each tree; the split that most trees disagree on halves the box.
  double least(InputBox box) {
    boxes_ = 0;
    best_ = INFINITY;
    search(std::move(box));
    return best_;
  }

 private:
  void search(InputBox box) {
    ++boxes_;
    split_input_ = ensemble_.inputs;
    double bound = constant();
    for (const std::uint32_t root : ensemble_.roots) bound += ensemble_.scale * lowest(root, box);
    if (bound >= best_) return;
    if (split_input_ == ensemble_.inputs || boxes_ >= most_boxes) {
      best_ = bound;  // one cell, or as far as the budget goes: still a lower bound
      return;
    }
    const std::size_t input = split_input_;
    const double at = split_at_;
    InputBox left = box, right = std::move(box);
    left.hi[input] = at;
    right.lo[input] = std::nextafter(at, INFINITY);
    search(std::move(left));
    search(std::move(right));
  }

  double constant() const {
    return sign_ * (ensemble_.base[wished_] - (rival_ ? ensemble_.base[*rival_] : 0.0));
  }

  double leaf(const Ensemble::Node& node) const {
    double value = 0;
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const Ensemble::LeafValue& v = ensemble_.values[i];
      if (v.score == wished_) value += sign_ * v.value;
      if (rival_ && v.score == *rival_) value -= sign_ * v.value;
    }
    return value;
  }

  double lowest(std::uint32_t at, const InputBox& box) {
    const Ensemble::Node& node = ensemble_.nodes[at];
    if (node.split == Ensemble::Split::leaf) return leaf(node);
    const bool low = ensemble_.goes_left(node, box.lo[node.input]),
               high = ensemble_.goes_left(node, box.hi[node.input]);
    if (low == high) return lowest(low ? node.left : node.right, box);
    split_input_ = node.input;
    split_at_ = largest_left(node, box);
    return std::min(lowest(node.left, box), lowest(node.right, box));
  }

  // The last number of the box that goes left: comparisons may be in single precision.
  double largest_left(const Ensemble::Node& node, const InputBox& box) const {
    double left = box.lo[node.input], right = box.hi[node.input];
    for (int i = 0; i < 200 && std::nextafter(left, right) < right; ++i) {
      const double middle = left + (right - left) / 2;
      (ensemble_.goes_left(node, middle) ? left : right) = middle;
    }
    return left;
  }

  const Ensemble& ensemble_;
  std::size_t wished_;
  std::optional<std::size_t> rival_;
  double sign_;
  std::size_t boxes_ = 0, split_input_ = 0;
  double split_at_ = 0, best_ = INFINITY;
};

}  // namespace

// How far a sum of leaves in single precision may lie from the true one.
double Robustness::rounding_of_cells() const {
  const Ensemble& ensemble = *setting_.model.ensemble();
  double size = 0;
  for (const double base : ensemble.base) size = std::max(size, std::abs(base));
  double leaf = 0;
  for (const Ensemble::LeafValue& value : ensemble.values) leaf = std::max(leaf, std::abs(value.value));
  const auto trees = static_cast<double>(ensemble.roots.size());
  return (trees + 2) * 0x1p-24 * (size + trees * std::abs(ensemble.scale) * leaf);
}

// Totals of averaged probabilities are compared with one half, or with each other, as their logits are.
double Robustness::by_cells(const InputBox& box) const {
  const Ensemble& ensemble = *setting_.model.ensemble();
  const bool probabilities = ensemble.link == Ensemble::Link::probability;
  if (ensemble.base.size() == 1) {
    const double lo = Cells(ensemble, 0, {}, 1).least(box) - rounding_,
                 hi = -Cells(ensemble, 0, {}, -1).least(box) + rounding_;
    const auto logit = [&](double total) {
      return probabilities ? std::log(std::max(total, 1e-12) / std::max(1 - total, 1e-12)) : total;
    };
    return validity_.least_margin(logit(lo), logit(hi));
  }
  double margin = INFINITY;
  for (std::size_t rival = 0; rival < ensemble.base.size(); ++rival)
    if (rival != target_) margin = std::min(margin, Cells(ensemble, target_, rival, 1).least(box));
  margin -= 2 * rounding_;
  // p_y >= p_r + d means log(p_y / p_r) >= log(1 + d), since p_r is at most 1.
  return probabilities ? std::log1p(std::max(margin, -1 + 1e-12)) : margin;
}

}  // namespace scfe
