// The ensemble in the form of the exact solver: splits by feature instead of by input, thresholds as
// positions between cells. Made once for all questions.
//
//     number     cuts t_0 < t_1 < ...;  cell(x) = how many cuts lie below x;  cells 0 .. place go left
//     category   one word of bits for each 64 levels: those that go left
//
// A cut is the last double that the file's own comparison sends to the left. Where the training library may
// cut elsewhere (model/trees/ensemble.h), a cell has several pieces: neither decides otherwise within one.
#pragma once

#include <limits>
#include <vector>

#include "actionability/rules.h"
#include "actionability/space.h"
#include "actionability/writing.h"
#include "model/trees/ensemble.h"

namespace scfe {

class ExactCells {
 public:
  static constexpr std::uint32_t leaf = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    std::uint32_t feature = leaf;
    // The last cell that goes left; a category: its first word; a leaf: its number among the leaves, in the
    // order of the ensemble's nodes.
    std::uint32_t place = 0;
    std::uint32_t left = 0, right = 0;
    bool missing_left = false;
  };
  struct Column {
    bool category = false;
    bool split = false;  // some tree splits on it
    std::size_t levels = 0;
    std::vector<double> cuts;
    std::vector<double> edges;  // the last number of each piece but the last, cuts included
    // Of each piece: its writable value nearest from below (for a factual below it) and from above.
    std::vector<double> from_below, from_above;

    std::size_t words() const { return (levels + 63) / 64; }
  };

  // Columns that follow from the levels of a category are not features of their own: a split on such a column
  // is one on the category, by what follows from each level.
  struct Frame {
    const Space& space;
    const Writing& writing;
    std::span<const Derivation> derived = {};
  };
  ExactCells(const Ensemble& ensemble, const Frame& frame);

  const Node& node(std::uint32_t at) const { return nodes_[at]; }
  std::span<const std::uint32_t> roots() const { return roots_; }
  const Column& column(std::size_t feature) const { return columns_[feature]; }
  std::uint64_t word(std::uint32_t at) const { return words_[at]; }
  std::size_t cell(std::size_t feature, double x) const;
  std::size_t piece(std::size_t feature, double x) const;

 private:
  struct Source {
    std::size_t feature = 0;
    std::size_t level = 0;
    bool one_hot = false;
  };
  void find_sources(const Space& space);
  void find_followers(const Frame& frame);
  void add_node(const Ensemble& ensemble, std::uint32_t at);
  void add_mask(const Ensemble& ensemble, const Ensemble::Node& node, Node& made);
  void find_writable(const Writing& writing);

  std::uint32_t leaves_ = 0;
  std::vector<Source> sources_;  // of each input
  // Of each feature: the category whose levels it follows, and its value for each; no values: none.
  struct Follower {
    std::size_t category = 0;
    std::vector<double> values;
  };
  std::vector<Follower> followers_;
  std::vector<Column> columns_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint64_t> words_;
};

// Splits by codes on inputs that are numbers, as chains of thresholds: [c, c + 1) for each code c.
Ensemble with_thresholds(const Ensemble& ensemble, const std::vector<bool>& number_input);

}  // namespace scfe
