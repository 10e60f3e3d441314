// Tree ensembles: branch and bound over the cells that intersect a box.
#include <algorithm>
#include <cmath>
#include <functional>

#include "model/trees/ensemble.h"
#include "stability/robustness.h"

namespace scfe {
namespace {

// Limits on the boxes of one search; the second one applies if only yes or no is asked.
constexpr std::size_t most_boxes = 20000, most_to_decide = 1000;

// The least value of one score, or of the difference of two, over a box.
class Cells {
 public:
  Cells(const Ensemble& ensemble, std::size_t target, std::optional<std::size_t> rival, double sign)
      : ensemble_(ensemble), target_(target), rival_(rival), sign_(sign) {}

  // The search stops early when time is up or, if `falls_short` is set, at the first total for which it is
  // true; totals for which it is false are not told apart.
  struct Until {
    Deadline deadline;
    std::function<bool(double total)> falls_short = {};
  };

  // The bound of a box is the sum of each tree's least leaf in it. A box that spans a split is divided there.
  double least(InputBox box, const Until& until) {
    until_ = &until;
    boxes_ = 0;
    done_ = false;
    best_ = INFINITY;
    search(bounded(std::move(box)));
    return best_;
  }

 private:
  struct Bounded {
    InputBox box;
    double bound;
    std::size_t input;  // to split; ensemble.inputs: it is one cell
    double at;
  };

  Bounded bounded(InputBox box) {
    ++boxes_;
    split_input_ = ensemble_.inputs;
    double bound = constant();
    for (const std::uint32_t root : ensemble_.roots) bound += ensemble_.scale * lowest(root, box);
    return {std::move(box), bound, split_input_, split_at_};
  }

  // The half with the lower bound comes first, so that a total that falls short is found soon.
  void search(Bounded here) {
    if (done_ || here.bound >= best_ || (until_->falls_short && !until_->falls_short(here.bound))) return;
    const bool tired = boxes_ >= (until_->falls_short ? most_to_decide : most_boxes) ||
                       (boxes_ % 64 == 1 && is_past(until_->deadline));
    if (here.input == ensemble_.inputs || tired) {
      best_ = here.bound;  // exact for one cell; a lower bound where the budget ended
      done_ = until_->falls_short != nullptr;
      return;
    }
    InputBox low = here.box, high = std::move(here.box);
    low.hi[here.input] = here.at;
    high.lo[here.input] = std::nextafter(here.at, INFINITY);
    Bounded first = bounded(std::move(low)), second = bounded(std::move(high));
    if (second.bound < first.bound) std::swap(first, second);
    search(std::move(first));
    search(std::move(second));
  }

  double constant() const {
    return sign_ * (ensemble_.base[target_] - (rival_ ? ensemble_.base[*rival_] : 0.0));
  }

  double leaf(const Ensemble::Node& node) const {
    double value = 0;
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const Ensemble::LeafValue& v = ensemble_.values[i];
      if (v.score == target_) value += sign_ * v.value;
      if (rival_ && v.score == *rival_) value -= sign_ * v.value;
    }
    return value;
  }

  double lowest(std::uint32_t at, const InputBox& box) {
    const Ensemble::Node& node = ensemble_.nodes[at];
    if (node.split == Ensemble::Split::leaf) return leaf(node);
    const bool low = ensemble_.goes_left(node, box.lo[node.input]),
               high = ensemble_.goes_left(node, box.hi[node.input]);
    if (low == high) {
      const bool unsure =
          node.differs && box.lo[node.input] < node.surely_right && box.hi[node.input] > node.surely_left;
      if (unsure) return std::min(lowest(node.left, box), lowest(node.right, box));
      return lowest(low ? node.left : node.right, box);
    }
    split_input_ = node.input;
    split_at_ = largest_left(node, box);
    return std::min(lowest(node.left, box), lowest(node.right, box));
  }

  // The largest number of the box that goes left; the comparison may be in single precision.
  double largest_left(const Ensemble::Node& node, const InputBox& box) const {
    double left = box.lo[node.input], right = box.hi[node.input];
    for (int i = 0; i < 200 && std::nextafter(left, right) < right; ++i) {
      const double middle = left + (right - left) / 2;
      (ensemble_.goes_left(node, middle) ? left : right) = middle;
    }
    return left;
  }

  const Ensemble& ensemble_;
  std::size_t target_;
  std::optional<std::size_t> rival_;
  double sign_;
  const Until* until_ = nullptr;
  std::size_t boxes_ = 0, split_input_ = 0;
  double split_at_ = 0, best_ = INFINITY;
  bool done_ = false;
};

}  // namespace

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

// If the totals are averaged probabilities, margins are differences of their logits.
double Robustness::by_cells(const InputBox& box, bool only_whether) const {
  const Ensemble& ensemble = *fitted_.model.ensemble();
  const bool probabilities = ensemble.link == Ensemble::Link::probability;
  Cells::Until until{deadline_};
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
    const double below = from_below(Cells(ensemble, 0, {}, 1).least(box, until));
    if (only_whether && !(below >= validity_.required())) return below;
    watch(from_above);
    return std::min(below, from_above(Cells(ensemble, 0, {}, -1).least(box, until)));
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
    margin = std::min(margin, margin_of(Cells(ensemble, target_, rival, 1).least(box, until)));
    if (only_whether && !(margin >= validity_.required())) break;
  }
  return margin;
}

}  // namespace scfe
