#include "model/trees/ensemble.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "model/trees/lane_walk.h"
#include "scfe/error.h"

namespace scfe {
namespace {

using Node = Ensemble::Node;
using Split = Ensemble::Split;

constexpr std::uint32_t max_code = 1 << 16;
constexpr std::size_t max_depth = 4096;
constexpr double least_probability = 1e-30;

double below(const Ensemble& ensemble, double threshold) {
  return ensemble.single ? std::nextafter(static_cast<float>(threshold), -INFINITY)
                         : std::nextafter(threshold, -INFINITY);
}

template <class Real>
double log_odds(Real p) {
  const auto rest = static_cast<double>(1 - p), value = static_cast<double>(p);
  if (rest <= least_probability) return std::log(1 / least_probability);
  if (value <= least_probability) return std::log(least_probability);
  return std::log1p((value - rest) / rest);  // has the sign of p - 1/2, however close p is to 1/2
}

// From the sums of the leaves to the scores, in the precision of the training library.
template <class Real>
void to_scores(const Ensemble& ensemble, Real* total, std::span<double> z) {
  const std::size_t scores = z.size();
  for (std::size_t k = 0; k < scores; ++k) {
    total[k] = static_cast<Real>(ensemble.scale) * total[k] + static_cast<Real>(ensemble.base[k]);
    z[k] = static_cast<double>(total[k]);
  }
  if (ensemble.link == Ensemble::Link::logit) return;
  if (scores == 1)
    z[0] = log_odds(total[0]);
  else
    for (std::size_t k = 0; k < scores; ++k) z[k] = std::log(std::max(z[k], least_probability));
}

// Sums in the same precision. `left(node)` decides a split.
template <class Real, class Left>
void add_up(const Ensemble& ensemble, std::span<double> z, Left left) {
  Real totals[64];
  const std::size_t scores = z.size();
  std::vector<Real> many(scores > 64 ? scores : 0);
  Real* total = scores > 64 ? many.data() : totals;
  std::fill_n(total, scores, Real(0));
  for (const std::uint32_t root : ensemble.roots) {
    const Node* node = &ensemble.nodes[root];
    while (node->split != Split::leaf) node = &ensemble.nodes[left(*node) ? node->left : node->right];
    for (std::uint32_t i = node->first; i < node->last; ++i)
      total[ensemble.values[i].score] += static_cast<Real>(ensemble.values[i].value);
  }
  to_scores(ensemble, total, z);
}

double linked(const Ensemble& ensemble, double total) {
  if (ensemble.link == Ensemble::Link::logit) return total;
  return ensemble.base.size() == 1 ? log_odds(total) : std::log(std::max(total, least_probability));
}

// The range of the values that one tree adds to each score, over all leaves that x may reach.
class TreeRange {
 public:
  explicit TreeRange(const Ensemble& ensemble) : ensemble_(ensemble), value_(ensemble.base.size()) {}

  void run(std::uint32_t root, std::span<const double> x, std::span<double> least, std::span<double> most) {
    std::ranges::fill(least, INFINITY);
    std::ranges::fill(most, -INFINITY);
    open_.assign(1, root);
    while (!open_.empty()) {
      const Node* node = &ensemble_.nodes[open_.back()];
      open_.pop_back();
      while (node->split != Split::leaf) node = &ensemble_.nodes[follow(*node, x[node->input])];
      std::ranges::fill(value_, 0.0);
      for (std::uint32_t i = node->first; i < node->last; ++i)
        value_[ensemble_.values[i].score] += ensemble_.values[i].value;
      for (std::size_t k = 0; k < value_.size(); ++k) {
        least[k] = std::min(least[k], value_[k]);
        most[k] = std::max(most[k], value_[k]);
      }
    }
  }

 private:
  std::uint32_t follow(const Node& node, double x) {
    if (!node.differs || std::isnan(x)) return ensemble_.goes_left(node, x) ? node.left : node.right;
    if (x <= node.surely_left) return node.left;
    if (x < node.surely_right) open_.push_back(node.left);
    return node.right;
  }

  const Ensemble& ensemble_;
  std::vector<double> value_;
  std::vector<std::uint32_t> open_;
};

template <class Left>
void walk(const Ensemble& ensemble, std::span<double> z, Left left) {
  if (ensemble.single)
    add_up<float>(ensemble, z, left);
  else
    add_up<double>(ensemble, z, left);
}

class EnsembleModel : public Model {
 public:
  explicit EnsembleModel(Ensemble ensemble)
      : ensemble_(std::move(ensemble)), walk_(ensemble_), may_differ_(ensemble_.may_differ()) {
    if (EnsembleModel::in_double()) unrounded_walk_.emplace(ensemble_);
  }

  std::size_t features() const override { return ensemble_.inputs; }
  std::size_t scores() const override { return ensemble_.base.size(); }
  const Ensemble* ensemble() const override { return &ensemble_; }
  Output output() const override { return ensemble_.output; }

  std::unique_ptr<Tape> tape(std::size_t) const override {
    auto tape = std::make_unique<Totals>(features());
    tape->z.resize(scores());
    return tape;
  }

  void forward(const Block& x, Block& scores, Tape& tape) const override {
    scores.set_lanes(x.lanes());
    for (std::size_t first = 0; first < x.lanes(); first += lanes) {
      const std::size_t count = std::min(lanes, x.lanes() - first);
      Totals& totals = static_cast<Totals&>(tape);
      score(walk_, {x.data() + first, x.stride(), count}, totals.of_floats, totals,
            [&](std::size_t row, std::span<const double> z) {
              for (std::size_t k = 0; k < z.size(); ++k) scores[k][first + row] = static_cast<float>(z[k]);
            });
    }
  }
  // Where the training library may decide otherwise, it does so by the digits of the written value.
  bool in_double() const override { return !ensemble_.single || may_differ_; }
  void forward_one(std::span<const double> x, std::span<double> scores, Tape&) const override {
    ensemble_.scores(x, scores);
  }
  void forward_each(std::span<const std::span<const double>> points, std::span<double> scores,
                    Tape& tape) const override {
    if (!unrounded_walk_) return Model::forward_each(points, scores, tape);
    Totals& totals = static_cast<Totals&>(tape);
    std::vector<double>& x = totals.unrounded;
    for (std::size_t first = 0; first < points.size(); first += lanes) {
      const std::size_t count = std::min(lanes, points.size() - first);
      for (std::size_t row = 0; row < count; ++row)
        for (std::size_t j = 0; j < features(); ++j) {
          const double value = points[first + row][j];
          x[j * lanes + row] = ensemble_.single ? static_cast<double>(static_cast<float>(value)) : value;
        }
      score(*unrounded_walk_, {x.data(), lanes, count}, totals.of_doubles, totals,
            [&](std::size_t row, std::span<const double> z) {
              std::ranges::copy(z, scores.begin() + static_cast<std::ptrdiff_t>((first + row) * z.size()));
            });
    }
  }
  // Trees are piecewise constant, so the gradient is 0.
  void backward(const Block& seed, Block& gradient, Tape&) const override {
    gradient.set_lanes(seed.lanes());
    for (std::size_t j = 0; j < features(); ++j) std::fill_n(gradient[j], gradient.padded_lanes(), 0.0F);
  }

 private:
  static constexpr std::size_t lanes = LaneWalk<float>::lanes;

  template <class Real>
  struct Sums {
    std::vector<Real> of_rows, of_one;  // by score and row; of one row
  };
  struct Totals : Tape {
    explicit Totals(std::size_t inputs) : of_floats(inputs), of_doubles(inputs), unrounded(inputs * lanes) {}
    LaneWalk<float>::Values of_floats;
    LaneWalk<double>::Values of_doubles;
    std::vector<double> unrounded;
    std::tuple<Sums<float>, Sums<double>> sums;
    std::vector<double> z;
  };

  // Calls take(row, z) with the scores of each row.
  template <class Value, class Take>
  void score(const LaneWalk<Value>& walk, const typename LaneWalk<Value>::Rows& rows,
             typename LaneWalk<Value>::Values& values, Totals& tape, const Take& take) const {
    if (ensemble_.single)
      score_in<float>(walk, rows, values, tape, take);
    else
      score_in<double>(walk, rows, values, tape, take);
  }
  template <class Real, class Value, class Take>
  void score_in(const LaneWalk<Value>& walk, const typename LaneWalk<Value>::Rows& rows,
                typename LaneWalk<Value>::Values& values, Totals& tape, const Take& take) const {
    const std::size_t count = tape.z.size();
    auto& [total, one] = std::get<Sums<Real>>(tape.sums);
    one.resize(count);
    total.assign(count * lanes, Real(0));
    walk.add(rows, values, total.data());
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (std::size_t k = 0; k < count; ++k) one[k] = total[k * lanes + row];
      to_scores(ensemble_, one.data(), tape.z);
      take(row, tape.z);
    }
  }

  Ensemble ensemble_;
  LaneWalk<float> walk_;
  std::optional<LaneWalk<double>> unrounded_walk_;  // if rows are scored in double
  bool may_differ_ = false;
};

}  // namespace

bool Ensemble::has_code(const Node& node, double x) const {
  const double code = std::trunc(x);
  if (!(code >= 0 && code < 64.0 * (node.last - node.first))) return false;
  const auto place = static_cast<std::uint32_t>(code);
  return (codes[node.first + place / 64] >> (place % 64) & 1) != 0;
}

bool Ensemble::goes_left(const Node& node, double x) const {
  if (std::isnan(x)) return node.missing_left;
  if (node.split == Split::codes)
    return has_code(node, single ? static_cast<double>(static_cast<float>(x)) : x);
  return single ? static_cast<float>(x) <= static_cast<float>(node.threshold) : x <= node.threshold;
}

void Ensemble::scores(std::span<const double> x, std::span<double> z) const {
  assert(x.size() == inputs && z.size() == base.size());
  walk(*this, z, [&](const Node& node) { return goes_left(node, x[node.input]); });
}

bool Ensemble::may_differ() const { return std::ranges::any_of(nodes, &Node::differs); }

void Ensemble::score_bounds(std::span<const double> x, std::span<double> least,
                            std::span<double> most) const {
  const std::size_t count = base.size();
  std::vector<double> sums(2 * count), tree(2 * count);
  TreeRange range(*this);
  for (const std::uint32_t root : roots) {
    range.run(root, x, std::span(tree).first(count), std::span(tree).last(count));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += tree[i];
  }
  for (std::size_t k = 0; k < count; ++k) {
    least[k] = linked(*this, base[k] + scale * sums[k]);
    most[k] = linked(*this, base[k] + scale * sums[count + k]);
  }
}

// In single precision it is half-way to the next float, or just below where that rounds up.
double last_left(const Ensemble& ensemble, const Ensemble::Node& node) {
  if (!ensemble.single) return node.threshold;
  const auto last = static_cast<float>(node.threshold);
  const double middle = 0.5 * (static_cast<double>(last) +
                               static_cast<double>(std::nextafter(last, std::numeric_limits<float>::max())));
  return static_cast<float>(middle) <= last ? middle : std::nextafter(middle, -INFINITY);
}

// x < t was rewritten as x <= the double before t. That double would round to t as a float, so the float
// before t is returned for it.
float single_threshold(double threshold) {
  const auto rounded = static_cast<float>(threshold);
  const bool just_below = std::nextafter(threshold, INFINITY) == static_cast<double>(rounded);
  return just_below ? std::nextafter(rounded, -INFINITY) : rounded;
}

void set_branch(Ensemble& ensemble, std::uint32_t at, const Branch& branch) {
  const bool flipped = branch.compare == Compare::greater || branch.compare == Compare::greater_equal ||
                       branch.compare == Compare::not_equal;
  const bool strict = branch.compare == Compare::less || branch.compare == Compare::greater_equal;
  Node node;
  node.split = Split::threshold;
  node.input = branch.input;
  node.threshold = strict ? below(ensemble, branch.threshold) : branch.threshold;
  node.left = flipped ? branch.no : branch.yes;
  node.right = flipped ? branch.yes : branch.no;
  node.missing_left = branch.missing_yes != flipped;
  if (branch.compare == Compare::equal || branch.compare == Compare::not_equal) {
    // x == t means that x <= t holds and x <= (the number before t) does not.
    Node inner = node;
    inner.threshold = below(ensemble, branch.threshold);
    inner.left = node.right;
    inner.right = node.left;
    inner.missing_left = false;
    node.left = static_cast<std::uint32_t>(ensemble.nodes.size());
    ensemble.nodes.push_back(inner);
  }
  ensemble.nodes[at] = node;
}

void set_codes(Ensemble& ensemble, Node& node, std::span<const std::uint32_t> members) {
  node.split = Split::codes;
  node.first = static_cast<std::uint32_t>(ensemble.codes.size());
  for (const std::uint32_t code : members) {
    if (code >= max_code) throw Error("codes of a split", "codes below 65536", std::to_string(code));
    const std::size_t word = node.first + code / 64;
    if (word >= ensemble.codes.size()) ensemble.codes.resize(word + 1, 0);
    ensemble.codes[word] |= std::uint64_t{1} << (code % 64);
  }
  node.last = static_cast<std::uint32_t>(ensemble.codes.size());
}

namespace {

void check_node(const Ensemble& ensemble, const Node& node, const std::string& source) {
  if (node.split == Split::leaf) {
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const auto [score, value] = ensemble.values[i];
      if (score >= ensemble.base.size())
        throw Error(source, "leaves of scores below " + std::to_string(ensemble.base.size()),
                    std::to_string(score));
      if (!std::isfinite(value)) throw Error(source, "finite leaf values", std::to_string(value));
    }
    return;
  }
  if (node.input >= ensemble.inputs)
    throw Error(source, "splits on inputs below " + std::to_string(ensemble.inputs),
                std::to_string(node.input));
  if (std::isnan(node.threshold)) throw Error(source, "thresholds that are numbers", "nan");
  if (node.left >= ensemble.nodes.size() || node.right >= ensemble.nodes.size())
    throw Error(source, "children within the tree", std::to_string(std::max(node.left, node.right)));
}

}  // namespace

void check_ensemble(const Ensemble& ensemble, const std::string& source) {
  if (ensemble.roots.empty()) throw Error(source, "trees", "none");
  if (ensemble.inputs == 0 || ensemble.base.empty()) throw Error(source, "inputs and scores", "none");
  for (const double base : ensemble.base)
    if (!std::isfinite(base)) throw Error(source, "finite base scores", std::to_string(base));
  for (const Node& node : ensemble.nodes) check_node(ensemble, node, source);
  // A depth-first walk that enters each node once. A node that is met again on its own path is a cycle.
  enum : std::uint8_t { unseen, on_path, done };
  std::vector<std::uint8_t> state(ensemble.nodes.size(), unseen);
  std::vector<std::pair<std::uint32_t, bool>> stack;
  for (const std::uint32_t root : ensemble.roots) {
    if (root >= ensemble.nodes.size()) throw Error(source, "roots within the trees", std::to_string(root));
    stack.assign(1, {root, false});
    std::size_t depth = 0;
    while (!stack.empty()) {
      auto& [at, entered] = stack.back();
      if (entered || state[at] == done) {
        if (entered) --depth;
        state[at] = done;
        stack.pop_back();
        continue;
      }
      if (state[at] == on_path) throw Error(source, "trees", "a cycle of nodes");
      if (++depth > max_depth) throw Error(source, "trees of at most 4096 levels", "deeper ones");
      entered = true;
      state[at] = on_path;
      const Node& node = ensemble.nodes[at];
      if (node.split == Split::leaf) continue;
      stack.emplace_back(node.left, false);
      stack.emplace_back(node.right, false);
    }
  }
}

std::shared_ptr<const Model> ensemble_model(Ensemble ensemble, const std::string& source) {
  check_ensemble(ensemble, source);
  return std::make_shared<EnsembleModel>(std::move(ensemble));
}

}  // namespace scfe
