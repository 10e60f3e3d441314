// Tree ensembles: branch and bound over the cells that intersect a box.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "model/trees/ensemble.h"
#include "stability/robustness.h"
#include "stability/tree_searches.h"

namespace scfe {
// The largest error of a sum of leaves in single precision.
double Robustness::rounding_of_cells() const {
  const Ensemble& ensemble = *fitted_.model.ensemble();
  double size = 0;
  for (const double base : ensemble.base) size = std::max(size, std::abs(base));
  double leaf = 0;
  for (const Ensemble::LeafValue& value : ensemble.values) leaf = std::max(leaf, std::abs(value.value));
  const auto trees = static_cast<double>(ensemble.roots.size());
  return (trees + 2) * 0x1p-24 * (size + trees * std::abs(ensemble.scale) * leaf);
}

// An upper bound on the sum of all classes' totals.
double Robustness::most_of_cells() const {
  const Ensemble& ensemble = *fitted_.model.ensemble();
  const std::function<double(std::uint32_t)> most = [&](std::uint32_t at) {
    const Ensemble::Node& node = ensemble.nodes[at];
    if (node.split != Ensemble::Split::leaf) return std::max(most(node.left), most(node.right));
    double sum = 0;
    for (std::uint32_t i = node.first; i < node.last; ++i)
      sum += std::max(0.0, ensemble.scale * ensemble.values[i].value);
    return sum;
  };
  double total = 2 * rounding_;
  for (const double base : ensemble.base) total += std::max(0.0, base);
  for (const std::uint32_t root : ensemble.roots) total += most(root);
  return total;
}

// Candidates of one search lie near each other, so that what makes one of them unstable often does so for the
// next: the same displacement is tried before the whole box is searched.
double Robustness::least_total(const InputBox& box, const LeastTotal::Score& score,
                               const LeastTotal::Until& until) const {
  LeastTotal least(searches_->cells(), score);
  if (!until.falls_short) return least(box, until);
  std::vector<double> point(box.lo.size());
  for (const std::shared_ptr<const std::vector<double>>& way : searches_->recent(score)) {
    for (std::size_t j = 0; j < point.size(); ++j) {
      const double lo = box.lo[j], hi = box.hi[j];
      point[j] = lo < hi ? std::clamp(lo + (hi - lo) / 2 + (*way)[j], lo, hi) : lo;
    }
    const double total = least.at(point);
    if (!until.falls_short(total)) continue;
    searches_->use(score, way);
    return total;
  }
  const double total = least(box, until);
  if (const std::optional<std::vector<double>> found = least.witness()) {
    std::vector<double> way(point.size());
    for (std::size_t j = 0; j < way.size(); ++j)
      if (box.lo[j] < box.hi[j]) way[j] = (*found)[j] - (box.lo[j] + (box.hi[j] - box.lo[j]) / 2);
    searches_->use(score, std::make_shared<const std::vector<double>>(std::move(way)));
  }
  return total;
}

// If the totals are averaged probabilities, margins are differences of their logits.
double Robustness::by_cells(const InputBox& box, bool only_whether) const {
  const Ensemble& ensemble = *fitted_.model.ensemble();
  const bool probabilities = ensemble.link == Ensemble::Link::probability;
  LeastTotal::Until until{deadline_};
  // With only_whether, stops at the first total whose margin is too small.
  const auto watch = [&](const auto& margin) {
    if (only_whether)
      until.falls_short = [&](double total) { return !(margin(total) >= validity_.required()); };
  };
  if (ensemble.base.size() == 1) {
    const auto logit = [&](double total) {
      return probabilities ? std::log(std::max(total, 1e-12) / std::max(1 - total, 1e-12)) : total;
    };
    const auto from_below = [&](double total) {
      return validity_.least_margin(logit(total - rounding_), -INFINITY);
    };
    const auto from_above = [&](double total) {
      return validity_.least_margin(INFINITY, logit(rounding_ - total));
    };
    watch(from_below);
    const double below = from_below(least_total(box, {0, {}, 1}, until));
    if (only_whether && !(below >= validity_.required())) return below;
    watch(from_above);
    return std::min(below, from_above(least_total(box, {0, {}, -1}, until)));
  }
  // p_y - p_r >= d and p_y + p_r <= s mean p_y / p_r >= (s + d) / (s - d); s is 1 plus rounding.
  const auto margin_of = [&](double total) {
    const double lead = total - 2 * rounding_;
    return probabilities ? std::log(std::max(most_ + lead, 1e-12) / std::max(most_ - lead, 1e-12)) : lead;
  };
  watch(margin_of);
  double margin = INFINITY;
  for (std::size_t rival = 0; rival < ensemble.base.size(); ++rival) {
    if (rival == target_) continue;
    margin = std::min(margin, margin_of(least_total(box, {target_, rival, 1}, until)));
    if (only_whether && !(margin >= validity_.required())) break;
  }
  return margin;
}

}  // namespace scfe
