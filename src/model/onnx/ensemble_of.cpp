#include "model/onnx/ensemble_of.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/onnx/column.h"
#include "model/ops/trees.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Mode = TreeNode::Mode;

// Maps floating-point numbers to integers so that their order stays the same.
using Bits = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
std::int64_t place(Real x) {
  const auto size = static_cast<std::int64_t>(std::bit_cast<Bits>(std::abs(x)));
  return std::signbit(x) ? -size : size;
}
Real at_place(std::int64_t place) {
  const Real size = std::bit_cast<Real>(static_cast<Bits>(place >= 0 ? place : -place));
  return place >= 0 ? size : -size;
}

bool compare(const TreeNode& node, Real x) {
  switch (node.mode) {
    case Mode::leq:
      return x <= node.value;
    case Mode::lt:
      return x < node.value;
    case Mode::gte:
      return x >= node.value;
    case Mode::gt:
      return x > node.value;
    case Mode::eq:
      return x == node.value;
    case Mode::neq:
      return x != node.value;
    case Mode::leaf:
      break;
  }
  return false;
}

Compare comparison(Mode mode) {
  static constexpr Compare by_mode[] = {Compare::less_equal,    Compare::less_equal, Compare::less,
                                        Compare::greater_equal, Compare::greater,    Compare::equal,
                                        Compare::not_equal};
  return by_mode[static_cast<std::size_t>(mode)];
}

// How the library that trained the trees compares.
struct Library {
  bool rounds_values;     // to single precision, before it compares them
  bool keeps_values;      // it may compare them in double; both are true of a library that is not known
  bool exact_thresholds;  // the file has all their digits
  bool rounded_down;      // else: the file has the next float at or below the threshold

  // The library surely goes left up to `left`, and right from `right` on.
  double left(const TreeNode& node, bool exact) const {
    return exact || rounded_down ? at(node) : next_float(at(node), -1);
  }
  double right(const TreeNode& node, bool exact) const {
    return exact ? std::nextafter(at(node), INFINITY) : next_float(at(node), +1);
  }

 private:
  // x < t is x <= the number before t.
  static double at(const TreeNode& node) {
    const bool strict = node.mode == Mode::lt || node.mode == Mode::gte;
    return static_cast<double>(strict ? std::nextafter(node.value, -std::numeric_limits<Real>::infinity())
                                      : node.value);
  }
  static double next_float(double t, int sign) {
    const auto near = static_cast<float>(t);
    return static_cast<double>(
        std::nextafter(near, static_cast<float>(sign) * std::numeric_limits<float>::infinity()));
  }
};

// Thresholds between values with few digits have few digits, and were not rounded. That one of many digits
// rounds to such a number has a chance of 1 in 4096.
bool has_few_digits(Real threshold) {
  const auto single = static_cast<float>(threshold);
  return static_cast<Real>(single) == threshold && (std::bit_cast<std::uint32_t>(single) & 0xfff) == 0;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Library library_of(const Graph& graph, const Forest& forest) {
  Library library{true, true, false, !is_double};
  library.exact_thresholds = std::ranges::any_of(forest.nodes, [](const TreeNode& node) {
    return node.mode != Mode::leaf && static_cast<Real>(static_cast<float>(node.value)) != node.value;
  });
  // Averaged probabilities are those of forests and single trees.
  const bool rounds = forest.probabilities || contains(graph.name, "RandomForest") ||
                      contains(graph.name, "ExtraTrees") || contains(graph.name, "DecisionTree") ||
                      (contains(graph.name, "GradientBoosting") && !contains(graph.name, "Hist"));
  if (graph.producer == "skl2onnx") library.keeps_values = !rounds;
  return library;
}

// A double as an integer, in the same order.
std::int64_t place_of(double x) {
  const auto size = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::abs(x)));
  return std::signbit(x) ? -size : size;
}
double double_at(std::int64_t place) {
  const auto size = std::bit_cast<double>(static_cast<std::uint64_t>(place >= 0 ? place : -place));
  return place >= 0 ? size : -size;
}

// The last number up to which `holds` is true; it changes once, from true to false. -infinity: nowhere.
template <class Holds>
double last_where(Holds holds) {
  std::int64_t low = place_of(-std::numeric_limits<double>::max()), high = -low;
  if (!holds(double_at(low))) return -INFINITY;
  if (holds(double_at(high))) return INFINITY;
  while (low + 1 < high) {
    const std::int64_t middle = std::midpoint(low, high);
    (holds(double_at(middle)) ? low : high) = middle;
  }
  return double_at(low);
}

class Translator {
 public:
  Translator(const Plan& plan, const Forest& forest, int operand, const Library& library)
      : forest_(forest), library_(library) {
    for (std::size_t row = 0; row < forest.features; ++row) columns_.push_back(trace(plan, operand, row));
  }

  std::optional<Ensemble> run(std::size_t inputs) {
    ensemble_.inputs = inputs;
    ensemble_.single = !is_double;
    ensemble_.base.assign(forest_.base.begin(), forest_.base.end());
    ensemble_.link = forest_.probabilities ? Ensemble::Link::probability : Ensemble::Link::logit;
    if (forest_.aggregate == Aggregate::average)
      ensemble_.scale = 1 / static_cast<double>(forest_.roots.size());
    ensemble_.roots = forest_.roots;
    ensemble_.nodes.resize(forest_.nodes.size());
    for (std::uint32_t i = 0; i < forest_.nodes.size(); ++i)
      if (!translate(i)) return std::nullopt;
    if (paths() > most_paths) return std::nullopt;
    return std::move(ensemble_);
  }

 private:
  static constexpr double most_paths = 5e7;

  bool translate(std::uint32_t at) {
    const TreeNode& node = forest_.nodes[at];
    if (node.mode == Mode::leaf) {
      ensemble_.nodes[at].first = static_cast<std::uint32_t>(ensemble_.values.size());
      for (std::uint32_t w = node.first; w < node.last; ++w)
        ensemble_.values.push_back(
            {forest_.weights[w].target, static_cast<double>(forest_.weights[w].value)});
      ensemble_.nodes[at].last = static_cast<std::uint32_t>(ensemble_.values.size());
      return true;
    }
    if (!columns_[node.feature] || std::isnan(node.value)) return false;
    const Column& column = *columns_[node.feature];
    const Real absent = column(std::numeric_limits<Real>::quiet_NaN());
    const bool missing =
        std::isnan(absent) ? node.missing_is_true || node.mode == Mode::neq : compare(node, absent);
    if (column.plain()) return plain(at, column, node, missing);
    if (column.key()) return pick(at, column, node, missing);
    if (!column.monotone() || node.mode == Mode::eq || node.mode == Mode::neq) return false;
    return cut(at, column, node, missing);
  }

  bool branch(std::uint32_t at, const Branch& branch) {
    set_branch(ensemble_, at, branch);
    return true;
  }

  bool plain(std::uint32_t at, const Column& column, const TreeNode& node, bool missing) {
    branch(at, {column.input, comparison(node.mode), static_cast<double>(node.value), missing, node.yes,
                node.no});
    if (node.mode != Mode::eq && node.mode != Mode::neq) compare_with_library(at, column, node);
    return true;
  }

  bool pick(std::uint32_t at, const Column& column, const TreeNode& node, bool missing) {
    const Column::Stage* key = column.key();
    const auto after = [&](Real x) {
      for (const Column::Stage* stage = key + 1; stage != column.stages.data() + column.stages.size();
           ++stage)
        x = (*stage)(x);
      return compare(node, x);
    };
    const bool on = after(1), off = after(0);
    const std::uint32_t if_on = on ? node.yes : node.no, if_off = off ? node.yes : node.no;
    return branch(
        at, {column.input, Compare::equal, static_cast<double>(key->value), missing == on, if_on, if_off});
  }

  // The column is monotone, so the side changes at most once: bisection over the floats finds where.
  bool cut(std::uint32_t at, const Column& column, const TreeNode& node, bool missing) {
    constexpr Real most = std::numeric_limits<Real>::max();
    std::int64_t low = place(-most), high = place(most);
    const bool first = compare(node, column(at_place(low))), last = compare(node, column(at_place(high)));
    const std::uint32_t below = first ? node.yes : node.no, above = last ? node.yes : node.no;
    while (first != last && low + 1 < high) {
      const std::int64_t middle = std::midpoint(low, high);
      (compare(node, column(at_place(middle))) == first ? low : high) = middle;
    }
    const double threshold = first == last ? 0 : static_cast<double>(at_place(low));
    branch(at, {column.input, Compare::less_equal, threshold, missing == first, below, above});
    if (first != last) compare_with_library(at, column, node);
    return true;
  }

  // Finds where the training library surely goes left and right. The column is monotone, so each is one
  // number.
  void compare_with_library(std::uint32_t at, const Column& column, const TreeNode& node) {
    Ensemble::Node& split = ensemble_.nodes[at];
    double slope = 1;
    for (const Column::Stage& stage : column.stages) slope *= static_cast<double>(stage.scale);
    const bool exact = library_.exact_thresholds || (column.plain() && has_few_digits(node.value));
    const double left = library_.left(node, exact), right = library_.right(node, exact);
    const auto surely = [&](double x, bool below) {
      const Column::Range range = column.in_library(x);
      double least = range.least, most = range.most;
      if (library_.rounds_values) {
        const auto low = static_cast<double>(static_cast<float>(least)),
                   high = static_cast<double>(static_cast<float>(most));
        least = library_.keeps_values ? std::min(least, low) : low;
        most = library_.keeps_values ? std::max(most, high) : high;
      }
      return below ? most <= left : least >= right;
    };
    const bool rises = slope > 0;
    split.surely_left = last_where([&](double x) { return surely(x, rises); });
    const double unsure = last_where([&](double x) { return !surely(x, !rises); });
    split.surely_right = std::nextafter(unsure, INFINITY);
    const double own = last_left(ensemble_, split);
    split.differs = split.surely_left != own || unsure != own;
  }

  // The number of paths from roots to leaves. A hostile graph may share nodes so that there are too many.
  double paths() const {
    std::vector<double> ways(ensemble_.nodes.size(), 0);
    double total = 0;
    std::vector<std::pair<std::uint32_t, bool>> stack;
    for (const std::uint32_t root : ensemble_.roots) {
      stack.assign(1, {root, false});
      while (!stack.empty()) {
        const auto [at, ready] = stack.back();
        stack.pop_back();
        const Ensemble::Node& node = ensemble_.nodes[at];
        if (ways[at] > 0) continue;
        if (node.split == Ensemble::Split::leaf) {
          ways[at] = 1;
        } else if (ready) {
          ways[at] = ways[node.left] + ways[node.right];
        } else {
          stack.insert(stack.end(), {{at, true}, {node.left, false}, {node.right, false}});
        }
      }
      total += ways[root];
    }
    return total;
  }

  const Forest& forest_;
  Library library_;
  std::vector<std::optional<Column>> columns_;
  Ensemble ensemble_;
};

}  // namespace

std::optional<Ensemble> ensemble_of(const Plan& plan, const Graph& graph) {
  int buffer = plan.scores;
  const auto maker = [&](int of) -> const Step* {
    const int made = plan.buffers[static_cast<std::size_t>(of)].step;
    return made < 0 ? nullptr : &plan.steps[static_cast<std::size_t>(made)];
  };
  const Step* last = maker(buffer);
  bool halved = false;
  // For a single probability p, the plan subtracts 1/2 to make it a score.
  if (last && !last->op->forest() && plan.buffers[static_cast<std::size_t>(buffer)].rows == 1) {
    const std::optional<RowOrigin> origin = last->op->origin(0);
    if (!origin || origin->kind != RowOrigin::Kind::affine || origin->scale != 1 || origin->shift != -0.5F)
      return std::nullopt;
    halved = true;
    last = maker(last->x[origin->operand]);
  }
  const Forest* forest = last ? last->op->forest() : nullptr;
  if (!forest || (halved && !forest->probabilities)) return std::nullopt;
  if (forest->probabilities && forest->base.size() == 1 && !halved) return std::nullopt;
  if (forest->aggregate == Aggregate::min || forest->aggregate == Aggregate::max) return std::nullopt;
  return Translator(plan, *forest, last->x[0], library_of(graph, *forest)).run(plan.features);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
