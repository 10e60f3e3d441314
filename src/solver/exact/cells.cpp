#include "solver/exact/cells.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace scfe {
namespace {

using Split = Ensemble::Split;

std::size_t count_below(std::span<const double> cuts, double x) {
  return static_cast<std::size_t>(std::ranges::lower_bound(cuts, x) - cuts.begin());
}

// The writable values around a threshold.
struct Ladder {
  const Writing& writing;
  std::size_t feature;
  double threshold;

  double step() const { return writing.step[feature]; }
  double stepped(double k) const { return writing.nearest(feature, k * step()); }

  // The first in direction `sign` (+1 up, -1 down) for which `beyond` holds; it is monotone.
  template <class Beyond>
  double first(int sign, Beyond beyond) const {
    return step() > 0 ? first_stepped(sign, beyond) : first_free(sign, beyond);
  }

 private:
  template <class Beyond>
  double first_stepped(int sign, Beyond beyond) const {
    const double start =
        (sign > 0 ? std::floor(threshold / step()) : std::ceil(threshold / step())) - 2 * sign;
    double known = 0, reach = 1;  // not beyond after `known` steps
    while (!beyond(stepped(start + sign * reach))) {
      known = reach;
      reach *= 2;
      if (reach > 0x1p40) return NAN;
    }
    while (reach - known > 1) {
      const double middle = std::floor((known + reach) / 2);
      (beyond(stepped(start + sign * middle)) ? reach : known) = middle;
    }
    return stepped(start + sign * reach);
  }

  // Nine digits are finer than single precision, so the next float is far enough.
  template <class Beyond>
  double first_free(int sign, Beyond beyond) const {
    const double size = std::max(std::abs(threshold), static_cast<double>(FLT_MIN));
    const double unit = std::pow(10.0, std::floor(std::log10(size)) - 8);
    for (int away = -1; away <= 2; ++away) {
      const double x = writing.nearest(feature, threshold + sign * away * unit);
      if (beyond(x)) return x;
    }
    auto next = static_cast<float>(threshold);
    for (int away = 0; away < 3; ++away) {
      const bool towards_zero = static_cast<float>(sign) * next < 0;
      next = std::nextafter(next, sign > 0 ? INFINITY : -INFINITY);
      // Some runtimes flush denormals to zero.
      if (std::abs(next) < FLT_MIN) next = towards_zero ? 0 : static_cast<float>(sign) * FLT_MIN;
      const double x = writing.nearest(feature, static_cast<double>(next));
      if (beyond(x)) return x;
    }
    return NAN;
  }
};

}  // namespace

ExactCells::ExactCells(const Ensemble& given, const Frame& frame) {
  const Space& space = frame.space;
  find_sources(space);
  find_followers(frame);
  std::vector<bool> number_input;
  for (const Source& source : sources_) number_input.push_back(!space.is_category(source.feature));
  const Ensemble ensemble = with_thresholds(given, number_input);
  columns_.resize(space.features());
  for (std::size_t f = 0; f < space.features(); ++f) {
    columns_[f].category = space.is_category(f);
    columns_[f].levels = columns_[f].category ? space.width(f) : 0;
  }
  for (const Ensemble::Node& node : ensemble.nodes) {
    if (node.split != Split::threshold || !number_input[node.input]) continue;
    Column& column = columns_[sources_[node.input].feature];
    column.cuts.push_back(last_left(ensemble, node));
    column.edges.push_back(column.cuts.back());
    if (node.differs)
      column.edges.insert(column.edges.end(),
                          {node.surely_left, std::nextafter(node.surely_right, -INFINITY)});
  }
  for (Column& column : columns_)
    for (std::vector<double>* ends : {&column.cuts, &column.edges}) {
      std::ranges::sort(*ends);
      ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
    }
  nodes_.resize(ensemble.nodes.size());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) add_node(ensemble, i);
  roots_ = ensemble.roots;
  find_writable(frame.writing);
}

// Rows of which some column follows otherwise are not solved here (Links::derive_by_levels).
void ExactCells::find_followers(const Frame& frame) {
  followers_.resize(frame.space.features());
  for (const Derivation& d : frame.derived) {
    if (d.formula.table.empty() || !frame.space.is_category(d.sources.front())) continue;
    Follower& follower = followers_[d.feature];
    follower.category = d.sources.front();
    for (std::size_t level = 0; level < frame.space.width(follower.category); ++level) {
      const double value = d.formula.mapped(static_cast<double>(level));
      const bool stepped = frame.writing.step[d.feature] > 0 && std::isfinite(value);
      follower.values.push_back(stepped ? frame.writing.nearest(d.feature, value) : value);
    }
  }
}

void ExactCells::find_sources(const Space& space) {
  sources_.resize(space.inputs());
  std::vector<double> inputs(space.inputs());
  space.to_inputs(std::vector<double>(space.features(), 0.0), inputs);
  for (std::size_t f = 0; f < space.features(); ++f) {
    const bool one_hot = inputs[space.input_of(f)] == 1;  // of a code, input 0 is its place: 0
    for (std::size_t i = 0; i < space.input_width(f); ++i) sources_[space.input_of(f) + i] = {f, i, one_hot};
  }
}

void ExactCells::add_node(const Ensemble& ensemble, std::uint32_t at) {
  const Ensemble::Node& node = ensemble.nodes[at];
  Node& made = nodes_[at];
  if (node.split == Split::leaf) {
    made.place = leaves_++;
    return;
  }
  const Follower& follower = followers_[sources_[node.input].feature];
  const std::size_t feature = follower.values.empty() ? sources_[node.input].feature : follower.category;
  columns_[feature].split = true;
  made = {static_cast<std::uint32_t>(feature), 0, node.left, node.right, node.missing_left};
  if (columns_[feature].category) return add_mask(ensemble, node, made);
  made.place = static_cast<std::uint32_t>(count_below(columns_[feature].cuts, last_left(ensemble, node)));
}

void ExactCells::add_mask(const Ensemble& ensemble, const Ensemble::Node& node, Node& made) {
  const Source& source = sources_[node.input];
  const Column& column = columns_[made.feature];
  const std::vector<double>& follows = followers_[source.feature].values;
  made.place = static_cast<std::uint32_t>(words_.size());
  words_.resize(words_.size() + column.words(), 0);
  for (std::size_t level = 0; level < column.levels; ++level) {
    const double value = follows.empty() ? static_cast<double>(level) : follows[level];
    const double x = source.one_hot ? (value == static_cast<double>(source.level) ? 1.0 : 0.0) : value;
    if (ensemble.goes_left(node, x)) words_[made.place + level / 64] |= std::uint64_t{1} << (level % 64);
  }
}

std::size_t ExactCells::cell(std::size_t feature, double x) const {
  return count_below(columns_[feature].cuts, x);
}

std::size_t ExactCells::piece(std::size_t feature, double x) const {
  return count_below(columns_[feature].edges, x);
}

void ExactCells::find_writable(const Writing& writing) {
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    Column& column = columns_[f];
    const std::size_t pieces = column.edges.size() + 1;
    column.from_below.assign(pieces, NAN);
    column.from_above.assign(pieces, NAN);
    if (column.category) continue;
    for (std::size_t p = 0; p < pieces; ++p) {
      const double after = p == 0 ? -INFINITY : column.edges[p - 1],
                   last = p + 1 == pieces ? INFINITY : column.edges[p];
      if (p > 0) {
        const double x = Ladder{writing, f, after}.first(+1, [&](double v) { return v > after; });
        if (x <= last) column.from_below[p] = x;
      }
      if (p + 1 < pieces) {
        const double x = Ladder{writing, f, last}.first(-1, [&](double v) { return v <= last; });
        if (x > after) column.from_above[p] = x;
      }
    }
  }
}

Ensemble with_thresholds(const Ensemble& given, const std::vector<bool>& number_input) {
  Ensemble ensemble = given;
  for (std::uint32_t at = 0; at < given.nodes.size(); ++at) {
    const Ensemble::Node node = given.nodes[at];
    if (node.split != Split::codes || !number_input[node.input]) continue;
    // From the right: whatever lies at or above the last code's end is not in the set.
    const std::uint32_t end = 64 * (node.last - node.first);
    std::uint32_t next = node.right;
    bool next_left = false;
    for (std::uint32_t code = end; code-- > 0;) {
      const bool left = given.goes_left(node, code);
      if (left == next_left) continue;
      ensemble.nodes.emplace_back();
      const auto made = static_cast<std::uint32_t>(ensemble.nodes.size() - 1);
      const std::uint32_t here = left ? node.left : node.right;
      set_branch(ensemble, made,
                 {node.input, Compare::less, static_cast<double>(code) + 1, false, here, next});
      ensemble.nodes[made].missing_left = left == node.missing_left;
      next = made;
      next_left = left;
    }
    // trunc(x) is 0 above -1.
    Ensemble::Node& entrance = ensemble.nodes[at];
    entrance.split = Split::threshold;
    entrance.threshold = -1;
    entrance.left = node.right;
    entrance.right = next;
    entrance.missing_left = !node.missing_left;
  }
  return ensemble;
}

}  // namespace scfe
