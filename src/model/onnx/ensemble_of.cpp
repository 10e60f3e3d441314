#include "model/onnx/ensemble_of.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/onnx/pieces.h"
#include "model/ops/trees.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Mode = TreeNode::Mode;

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

// Converters round thresholds to single precision, up or down. A value close to a rounded threshold may take
// the other side in the library that trained the trees. Thresholds with few digits were not rounded.
double doubt_of_rounding(Real threshold) {
  const auto single = static_cast<float>(threshold);
  if (static_cast<Real>(single) != threshold) return 0;
  const bool few_digits = (std::bit_cast<std::uint32_t>(single) & 0xfff) == 0;
  const double size = std::abs(static_cast<double>(threshold));
  return few_digits ? 0
                    : 0.5 * (static_cast<double>(std::nextafter(static_cast<float>(size), INFINITY)) - size);
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
    return exact ? std::nextafter(at(node), INFINITY) : next_float(static_cast<double>(node.value), +1);
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
  Library library{true, true, false, false};
  library.exact_thresholds = std::ranges::any_of(forest.nodes, [](const TreeNode& node) {
    return node.mode != Mode::leaf && static_cast<Real>(static_cast<float>(node.value)) != node.value;
  });
  // Only XGBoost compares by "less than". Its values and thresholds are floats.
  const bool xgboost = std::ranges::all_of(
      forest.nodes, [](const TreeNode& node) { return node.mode == Mode::leaf || node.mode == Mode::lt; });
  if (xgboost) return {true, false, true, false};
  // Averaged probabilities are those of forests and single trees.
  const bool rounds = forest.probabilities || contains(graph.name, "RandomForest") ||
                      contains(graph.name, "ExtraTrees") || contains(graph.name, "DecisionTree") ||
                      (contains(graph.name, "GradientBoosting") && !contains(graph.name, "Hist"));
  if (graph.producer != "skl2onnx") return library;
  library.keeps_values = !rounds;
  library.rounded_down = rounds && !is_double;  // it leaves those of histogram boosting as they round
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
  // Beyond the largest float, scaling may overflow.
  const std::int64_t high_end = place_of(static_cast<double>(std::numeric_limits<float>::max()));
  std::int64_t low = -high_end, high = high_end;
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
  Translator(const Plan& plan, const Forest& forest, int operand, std::span<const std::size_t> levels,
             const Library& library)
      : forest_(forest), rows_(row_functions(plan, operand)), levels_(levels), library_(library) {}

  Recognised run(std::size_t inputs) {
    ensemble_.inputs = inputs;
    ensemble_.single = !is_double;
    ensemble_.base.assign(forest_.base.begin(), forest_.base.end());
    ensemble_.link = forest_.probabilities ? Ensemble::Link::probability : Ensemble::Link::logit;
    if (forest_.aggregate == Aggregate::average)
      ensemble_.scale = 1 / static_cast<double>(forest_.roots.size());
    ensemble_.roots = forest_.roots;
    ensemble_.nodes.resize(forest_.nodes.size());
    for (std::uint32_t i = 0; i < forest_.nodes.size(); ++i)
      if (!translate(i)) return {std::nullopt, obstacle_};
    if (paths() > most_paths) return {std::nullopt, "the trees: too many paths through their splits"};
    return {std::move(ensemble_), ""};
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
    const RowFunction& row = rows_[node.feature];
    obstacle_ = std::isnan(node.value) ? "the trees: a split compares with NaN" : row.obstacle;
    if (!obstacle_.empty()) return false;
    const bool missing =
        std::isnan(row.absent) ? node.missing_is_true || node.mode == Mode::neq : compare(node, row.absent);
    if (row.input && row.pieces.size() == 1 && !row.pieces[0].constant) {
      const Column column{*row.input, row.pieces[0].stages};
      if (column.plain()) return plain(at, column, node, missing);
      if (node.mode != Mode::eq && node.mode != Mode::neq) return cut(at, column, node, missing);
    }
    const std::vector<Side> sides = sides_of(row, node);
    const std::size_t levels = row.input && *row.input < levels_.size() ? levels_[*row.input] : 0;
    if (levels > 0 && sides.size() > 2)
      choose(at, row, node, missing);
    else
      spread({row.input.value_or(0), node, missing, sides}, at, 0, sides.size());
    return true;
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
    constexpr Real far = std::numeric_limits<float>::max();
    const bool rises = column(-far) < column(far);
    split.surely_left = last_where([&](double x) { return surely(x, rises); });
    const double unsure = last_where([&](double x) { return !surely(x, !rises); });
    split.surely_right = std::nextafter(unsure, INFINITY);
    const double own = last_left(ensemble_, split);
    split.differs = split.surely_left != own || unsure != own;
  }

  // The inputs up to `last`, from the side before on, that all take the same branch.
  struct Side {
    Real last;
    bool yes;
    double doubt;  // of its upper end
  };

  static std::vector<Side> sides_of(const RowFunction& row, const TreeNode& node) {
    std::vector<Side> sides;
    const auto add = [&](Side side) {
      if (!sides.empty() && sides.back().yes == side.yes) sides.pop_back();
      sides.push_back(side);
    };
    Real from = -std::numeric_limits<Real>::max();
    for (const Piece& piece : row.pieces) {
      if (!piece.constant) {
        std::vector<Real> ends;
        const auto end = [&](auto condition) {
          if (const auto last = last_before_change(from, piece.last, condition)) ends.push_back(*last);
        };
        end([&](Real x) { return piece(x) < node.value; });
        end([&](Real x) { return piece(x) > node.value; });
        std::ranges::sort(ends);
        for (const Real last : ends)
          add({last, compare(node, piece(last)),
               std::max(doubt_of(piece.stages, static_cast<double>(last)), doubt_of_rounding(node.value))});
      }
      const double doubt = std::isnan(piece.key) ? 0 : std::max(piece.doubt, doubt_of_rounding(piece.key));
      add({piece.last, compare(node, piece(piece.last)), doubt});
      from = next_number(piece.last);
    }
    return sides;
  }

  struct Spread {
    std::uint32_t input;
    const TreeNode& node;
    bool missing;
    std::span<const Side> sides;
    std::uint32_t target(bool yes) const { return yes ? node.yes : node.no; }
  };

  // The node `at` decides between the sides first .. last - 1 by bisection. A missing value goes to a half
  // with a side of its branch.
  void spread(const Spread& all, std::uint32_t at, std::size_t first, std::size_t last) {
    if (last - first == 1) {  // only the whole: no number decides, but a missing value may
      const bool yes = all.sides[first].yes, alone = yes != all.missing;
      const double threshold = alone ? static_cast<double>(std::numeric_limits<Real>::max()) : 0;
      branch(at,
             {all.input, Compare::less_equal, threshold, !alone, all.target(yes), all.target(all.missing)});
      return;
    }
    const std::size_t middle = std::midpoint(first, last);
    const auto half = [&](std::size_t begin, std::size_t end) {
      if (end - begin == 1) return all.target(all.sides[begin].yes);
      const auto made = static_cast<std::uint32_t>(ensemble_.nodes.size());
      ensemble_.nodes.emplace_back();
      spread(all, made, begin, end);
      return made;
    };
    const Side& border = all.sides[middle - 1];
    const bool missing_below = middle - first > 1 || border.yes == all.missing;
    const std::uint32_t below = half(first, middle), above = half(middle, last);
    branch(at,
           {all.input, Compare::less_equal, static_cast<double>(border.last), missing_below, below, above});
    Ensemble::Node& split = ensemble_.nodes[at];
    split.differs = border.doubt > 0;
    const auto border_float = static_cast<float>(split.threshold);
    split.surely_left = std::min(split.threshold - border.doubt,
                                 static_cast<double>(std::nextafter(border_float, -INFINITY)));
    split.surely_right =
        std::max(split.threshold + border.doubt, static_cast<double>(std::nextafter(border_float, INFINITY)));
  }

  // The levels of a text input as a set: all others, also unknown ones, take the other branch.
  void choose(std::uint32_t at, const RowFunction& row, const TreeNode& node, bool missing) {
    const auto goes = [&](Real level) { return compare(node, row.at(level)(level)); };
    const bool others = goes(-1);
    std::vector<std::uint32_t> members;
    for (std::uint32_t level = 0; level < levels_[*row.input]; ++level)
      if (goes(static_cast<Real>(level)) != others) members.push_back(level);
    Ensemble::Node split;
    split.input = *row.input;
    split.left = others ? node.no : node.yes;
    split.right = others ? node.yes : node.no;
    split.missing_left = missing != others;
    set_codes(ensemble_, split, members);
    ensemble_.nodes[at] = split;
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
  std::vector<RowFunction> rows_;  // what the trees compare
  std::span<const std::size_t> levels_;
  Library library_;
  Ensemble ensemble_;
  std::string obstacle_;
};

}  // namespace

Recognised ensemble_of(const Plan& plan, const Graph& graph, std::span<const std::size_t> levels) {
  if (std::ranges::none_of(plan.steps, [](const Step& step) { return step.op->forest() != nullptr; }))
    return {};
  int buffer = plan.scores;
  const auto maker = [&](int of) -> const Step* {
    const int made = plan.buffers[static_cast<std::size_t>(of)].step;
    return made < 0 ? nullptr : &plan.steps[static_cast<std::size_t>(made)];
  };
  const Step* last = maker(buffer);
  if (last == nullptr) return {};
  Recognised changed{std::nullopt, last->node + ": the scores are not those of one tree ensemble"};
  bool halved = false;
  // For a single probability p, the plan subtracts 1/2 to make it a score.
  if (last && !last->op->forest() && plan.buffers[static_cast<std::size_t>(buffer)].rows == 1) {
    const std::optional<RowOrigin> origin = last->op->origin(0);
    if (!origin || origin->kind != RowOrigin::Kind::affine || origin->scale != 1 || origin->shift != -0.5F)
      return changed;
    halved = true;
    last = maker(last->x[origin->operand]);
  }
  const Forest* forest = last ? last->op->forest() : nullptr;
  if (!forest || (halved && !forest->probabilities)) return changed;
  if (forest->probabilities && forest->base.size() == 1 && !halved) return changed;
  if (forest->aggregate == Aggregate::min || forest->aggregate == Aggregate::max)
    return {std::nullopt, last->node + ": the trees are not added up"};
  return Translator(plan, *forest, last->x[0], levels, library_of(graph, *forest)).run(plan.features);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
