// A tree ensemble as branch and bound over boxes needs it: thresholds as positions on each input.
//
//     edges of an input  e_0 < e_1 < ...: the thresholds, and the ends of the intervals in which nobody can
//     tell piece(x)           how many edges lie below x;  a split sends pieces 0 .. place to the left box a
//     range of pieces for each input bound of a box     the sum of each tree's least leaf in it
//
// A tree is followed from its root to the first split that the box spans; the boxes inside begin there.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "model/network/bounds.h"
#include "model/trees/ensemble.h"
#include "support/deadline.h"

namespace scfe {

class TreeCells {
 public:
  static constexpr std::uint32_t leaf = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    std::uint32_t input = leaf;
    std::uint32_t place = 0;                          // the last piece that goes left
    std::uint32_t unsure_first = 1, unsure_last = 0;  // pieces of which nobody can tell; none if first > last
    std::uint32_t left = 0, right = 0;
    bool codes = false, missing_left = false;
  };

  // Needs the ensemble for as long as it lives.
  explicit TreeCells(const Ensemble& ensemble);

  const Ensemble& ensemble() const { return ensemble_; }
  const Node& node(std::uint32_t at) const { return nodes_[at]; }
  std::span<const double> edges(std::size_t input) const { return edges_[input]; }
  std::uint32_t piece(std::size_t input, double x) const;

 private:
  const Ensemble& ensemble_;
  std::vector<Node> nodes_;
  std::vector<std::vector<double>> edges_;
};

// The least value of one score, or of the difference of two, over a box.
class LeastTotal {
 public:
  // sign · (total of the target - total of the rival)
  struct Score {
    std::size_t target = 0;
    std::optional<std::size_t> rival = {};
    double sign = 1;

    bool operator==(const Score&) const = default;
  };
  LeastTotal(const TreeCells& cells, const Score& score) : cells_(cells), score_(score) {}

  // The search stops early when time is up or, if `falls_short` is set, at the first total for which it is
  // true; totals for which it is false are not told apart.
  struct Until {
    Deadline deadline;
    std::function<bool(double total)> falls_short = {};
  };
  double operator()(const InputBox& box, const Until& until);
  // The total at one point.
  double at(std::span<const double> point);
  // After a search that fell short: a point of the box whose total does, unless the budget ended it before.
  std::optional<std::vector<double>> witness() const;

 private:
  struct Range {
    std::uint32_t lo = 0, hi = 0;
  };
  // Of one level of halving, each tree: where to go on, its least leaf, and whether that may still rise.
  struct Level {
    std::vector<std::uint32_t> from;
    std::vector<double> least;
    std::vector<char> open;
  };
  struct Bounded {
    double bound = 0;
    std::size_t input = 0;  // to split; ensemble.inputs: it is one cell
    std::uint32_t place = 0;
  };

  struct Half {
    Range range;
    Bounded bounded;
    std::size_t level;
  };

  void begin(std::span<const double> lo, std::span<const double> hi);
  Bounded bounded(std::size_t level);
  void search(std::size_t level, const Bounded& here);
  double lowest(std::uint32_t at);
  std::uint32_t first_open(std::uint32_t at) const;
  enum class Way : std::uint8_t { left, right, unsure, both };
  Way way(const TreeCells::Node& node, std::uint32_t at) const;
  double leaf(std::uint32_t at) const;
  double constant() const;

  const TreeCells& cells_;
  Score score_;
  const Until* until_ = nullptr;
  std::span<const double> lo_, hi_;
  std::vector<Range> box_;
  std::vector<Level> levels_;
  std::size_t boxes_ = 0, split_input_ = 0;
  std::uint32_t split_place_ = 0;
  bool is_open_ = false;  // of the tree that is followed
  double best_ = 0;
  bool done_ = false, exact_ = false;
};

}  // namespace scfe
