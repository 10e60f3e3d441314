// A tree ensemble in one form for all training libraries.
//
//     total_k(x) = base_k + scale · sum over trees of the value_k of the leaf that x falls into
//     z_k = total_k                                   (Link::logit: boosting)
//     z_k = log total_k; for a single score p = total_0: z_0 = log(p / (1 - p))
//                                                     (Link::probability: averaged forests)
//
// A split sends x to the left if x <= threshold, or if the code trunc(x) is in its set, else to the right. A
// missing value (NaN) goes to the side that `missing_left` names. `set_branch` rewrites other comparisons to
// these. Comparisons and sums use single precision where the file's own runtime does (`single`).
//
// A converted file may hold fewer digits than the library that trained the trees (thresholds, and the
// constants of scalers before them). At a value near a threshold that library may take the other side: such a
// split has an interval in which nobody who has only the file can tell. An answer has to hold on both sides.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scfe/model.h"

namespace scfe {

struct Ensemble {
  enum class Split : std::uint8_t { leaf, threshold, codes };
  enum class Link : std::uint8_t { logit, probability };
  struct Node {
    Split split = Split::leaf;
    bool missing_left = false;
    std::uint32_t input = 0;
    std::uint32_t left = 0, right = 0;
    std::uint32_t first = 0, last = 0;  // leaf: range in `values`; codes: range in `codes`
    double threshold = 0;
    // The training library sends x <= surely_left to the left and x >= surely_right to the right. Without
    // `differs` it decides as the file does.
    bool differs = false;
    double surely_left = 0, surely_right = 0;
  };
  struct LeafValue {
    std::uint32_t score;
    double value;
  };

  std::size_t inputs = 0;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> roots;
  std::vector<LeafValue> values;
  std::vector<std::uint64_t> codes;
  std::vector<double> base;  // one per score
  double scale = 1;
  Link link = Link::logit;
  bool single = true;
  Model::Output output = Model::Output::unknown;

  bool goes_left(const Node& node, double x) const;
  // True if trunc(x) is in the set of a split by codes.
  bool has_code(const Node& node, double x) const;
  // The scores z of one point, with the comparisons and sums of the training library.
  void scores(std::span<const double> x, std::span<double> z) const;
  // True if the training library may decide some split otherwise than the file does.
  bool may_differ() const;
  // Bounds on the scores that the training library computes.
  void score_bounds(std::span<const double> x, std::span<double> least, std::span<double> most) const;
};

// The largest number that the file's own comparison sends to the left.
double last_left(const Ensemble& ensemble, const Ensemble::Node& node);

// Writes any comparison as one or two nodes of the ensemble; evaluation starts at nodes[node].
enum class Compare : std::uint8_t { less_equal, less, greater_equal, greater, equal, not_equal };
struct Branch {
  std::uint32_t input = 0;
  Compare compare = Compare::less_equal;
  double threshold = 0;
  bool missing_yes = false;
  std::uint32_t yes = 0, no = 0;
};
void set_branch(Ensemble& ensemble, std::uint32_t node, const Branch& branch);
// The threshold for values that were rounded to single precision. The rounded value takes the same side as
// the value itself, unless that lies within half a unit in the last place above the threshold.
float single_threshold(double threshold);
// Makes the node a split that sends the codes `members` to the left.
void set_codes(Ensemble& ensemble, Ensemble::Node& node, std::span<const std::uint32_t> members);

// Throws an Error naming `source` if a tree has a cycle, an index is out of range or a number is not finite.
void check_ensemble(const Ensemble& ensemble, const std::string& source);

std::shared_ptr<const Model> ensemble_model(Ensemble ensemble, const std::string& source);

}  // namespace scfe
