#include "stability/tree_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scfe {
namespace {

using Split = Ensemble::Split;

// Limits on the boxes of one search; the second one applies if only yes or no is asked.
constexpr std::size_t most_boxes = 20000, most_to_decide = 1000;

std::uint32_t count_below(std::span<const double> edges, double x) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(edges, x) - edges.begin());
}

}  // namespace

TreeCells::TreeCells(const Ensemble& ensemble)
    : ensemble_(ensemble), nodes_(ensemble.nodes.size()), edges_(ensemble.inputs) {
  for (const Ensemble::Node& node : ensemble.nodes) {
    if (node.split != Split::threshold) continue;
    std::vector<double>& edges = edges_[node.input];
    edges.push_back(last_left(ensemble, node));
    if (node.differs)
      edges.insert(edges.end(), {node.surely_left, std::nextafter(node.surely_right, -INFINITY)});
  }
  for (std::vector<double>& edges : edges_) {
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Ensemble::Node& node = ensemble.nodes[i];
    if (node.split == Split::leaf) continue;
    Node& made = nodes_[i];
    made = {.input = node.input,
            .left = node.left,
            .right = node.right,
            .codes = node.split == Split::codes,
            .missing_left = node.missing_left};
    if (made.codes) continue;
    made.place = count_below(edges_[node.input], last_left(ensemble, node));
    if (!node.differs) continue;
    made.unsure_first = count_below(edges_[node.input], node.surely_left) + 1;
    made.unsure_last = count_below(edges_[node.input], std::nextafter(node.surely_right, -INFINITY));
  }
}

std::uint32_t TreeCells::piece(std::size_t input, double x) const { return count_below(edges_[input], x); }

double LeastTotal::operator()(const InputBox& box, const Until& until) {
  until_ = &until;
  boxes_ = 0;
  done_ = exact_ = false;
  best_ = INFINITY;
  begin(box.lo, box.hi);
  search(0, bounded(0));
  return best_;
}

double LeastTotal::at(std::span<const double> point) {
  begin(point, point);
  return bounded(0).bound;
}

void LeastTotal::begin(std::span<const double> lo, std::span<const double> hi) {
  const std::vector<std::uint32_t>& roots = cells_.ensemble().roots;
  lo_ = lo;
  hi_ = hi;
  box_.resize(lo.size());
  for (std::size_t j = 0; j < lo.size(); ++j) {
    box_[j].lo = cells_.piece(j, lo[j]);
    box_[j].hi = lo[j] == hi[j] ? box_[j].lo : cells_.piece(j, hi[j]);
  }
  if (levels_.empty()) levels_.resize(1);
  levels_[0].from = roots;
  levels_[0].least.assign(roots.size(), 0);
  levels_[0].open.assign(roots.size(), 1);
}

// Totals are summed in the order of the trees, whatever boxes were looked at before.
LeastTotal::Bounded LeastTotal::bounded(std::size_t level) {
  Level& trees = levels_[level];
  ++boxes_;
  split_input_ = cells_.ensemble().inputs;
  double bound = constant();
  const double scale = cells_.ensemble().scale;
  for (std::size_t t = 0; t < trees.from.size(); ++t) {
    if (trees.open[t] != 0) {
      is_open_ = false;
      trees.from[t] = first_open(trees.from[t]);
      trees.least[t] = lowest(trees.from[t]);
      trees.open[t] = is_open_ ? 1 : 0;
    }
    bound += scale * trees.least[t];
  }
  return {bound, split_input_, split_place_};
}

// The half with the lower bound comes first, so that a total that falls short is found soon.
void LeastTotal::search(std::size_t level, const Bounded& here) {
  if (done_ || here.bound >= best_ || (until_->falls_short && !until_->falls_short(here.bound))) return;
  const bool tired = boxes_ >= (until_->falls_short ? most_to_decide : most_boxes) ||
                     (boxes_ % 64 == 1 && is_past(until_->deadline));
  const bool one_cell = here.input == cells_.ensemble().inputs;
  if (one_cell || tired) {
    best_ = here.bound;  // exact for one cell; a lower bound where the budget ended
    done_ = until_->falls_short != nullptr;
    exact_ = one_cell;
    return;
  }
  // Both halves are bounded before one of them is searched, so each has a place of its own.
  const std::size_t first_half = 2 * (level / 2 + 1);
  if (levels_.size() < first_half + 2) levels_.resize(first_half + 2);
  const Range whole = box_[here.input];
  std::array<Half, 2> halves = {Half{{whole.lo, here.place}, {}, first_half},
                                Half{{here.place + 1, whole.hi}, {}, first_half + 1}};
  for (Half& half : halves) {
    box_[here.input] = half.range;
    levels_[half.level] = levels_[level];
    half.bounded = bounded(half.level);
  }
  if (halves[1].bounded.bound < halves[0].bounded.bound) std::swap(halves[0], halves[1]);
  for (const Half& half : halves) {
    if (done_) return;
    box_[here.input] = half.range;
    search(half.level, half.bounded);
  }
  if (!done_) box_[here.input] = whole;
}

LeastTotal::Way LeastTotal::way(const TreeCells::Node& node, std::uint32_t at) const {
  if (std::isnan(lo_[node.input])) return node.missing_left ? Way::left : Way::right;
  if (node.codes) {
    const Ensemble::Node& split = cells_.ensemble().nodes[at];
    const bool low = cells_.ensemble().goes_left(split, lo_[node.input]),
               high = cells_.ensemble().goes_left(split, hi_[node.input]);
    return low != high ? Way::unsure : low ? Way::left : Way::right;
  }
  const Range range = box_[node.input];
  const bool low = range.lo <= node.place, high = range.hi <= node.place;
  if (low != high) return Way::both;
  const bool known =
      node.unsure_first > node.unsure_last || range.lo > node.unsure_last || range.hi < node.unsure_first;
  if (!known) return Way::unsure;
  return low ? Way::left : Way::right;
}

// The first node on the way down that the box does not decide.
std::uint32_t LeastTotal::first_open(std::uint32_t at) const {
  for (;;) {
    const TreeCells::Node& node = cells_.node(at);
    if (node.input == TreeCells::leaf) return at;
    const Way here = way(node, at);
    if (here != Way::left && here != Way::right) return at;
    at = here == Way::left ? node.left : node.right;
  }
}

// The last split that is met is the next one to be divided: of the last tree, the leftmost of its deepest.
double LeastTotal::lowest(std::uint32_t at) {
  const TreeCells::Node& node = cells_.node(at);
  if (node.input == TreeCells::leaf) return leaf(at);
  const Way here = way(node, at);
  if (here == Way::left) return lowest(node.left);
  if (here == Way::right) return lowest(node.right);
  is_open_ = true;
  if (here == Way::both) {
    split_input_ = node.input;
    split_place_ = node.place;
  }
  const double right = lowest(node.right), left = lowest(node.left);
  return std::min(left, right);
}

double LeastTotal::constant() const {
  const std::vector<double>& base = cells_.ensemble().base;
  return score_.sign * (base[score_.target] - (score_.rival ? base[*score_.rival] : 0.0));
}

double LeastTotal::leaf(std::uint32_t at) const {
  const Ensemble::Node& node = cells_.ensemble().nodes[at];
  double value = 0;
  for (std::uint32_t i = node.first; i < node.last; ++i) {
    const Ensemble::LeafValue& v = cells_.ensemble().values[i];
    if (v.score == score_.target) value += score_.sign * v.value;
    if (score_.rival && v.score == *score_.rival) value -= score_.sign * v.value;
  }
  return value;
}

std::optional<std::vector<double>> LeastTotal::witness() const {
  if (!done_ || !exact_) return {};
  std::vector<double> point(lo_.begin(), lo_.end());
  for (std::size_t j = 0; j < point.size(); ++j) {
    if (!(lo_[j] < hi_[j])) continue;
    const std::span<const double> edges = cells_.edges(j);
    const Range range = box_[j];
    const double from = range.lo > cells_.piece(j, lo_[j]) ? edges[range.lo - 1] : lo_[j];
    const double to = range.hi < cells_.piece(j, hi_[j]) ? edges[range.hi] : hi_[j];
    point[j] = from + (to - from) / 2;
    if (!(point[j] > from)) point[j] = to;  // two neighbouring numbers
  }
  return point;
}

}  // namespace scfe
