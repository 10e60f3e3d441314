// A tree ensemble, whatever library grew it.
//
//     total_k(x) = base_k + scale · sum over trees of the value_k of the leaf that x falls into
//     z_k = total_k                                   (Link::logit: boosting)
//     z_k = log total_k, or log(p / (1 - p)) of one   (Link::probability: averaged forests)
//
// A split sends x <= threshold, or a code trunc(x) in a set, to the left, everything else to the right, and a
// missing value (NaN) its own way. The other comparisons are rewritten to these by `set_branch`. Comparisons
// and sums are in single precision where the library's are.
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
    std::uint32_t first = 0, last = 0;  // of a leaf: its values; of codes: the words of the set
    double threshold = 0;
    double doubt = 0;  // runtimes that compute x by a scaler before may differ this far from the threshold
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
  std::vector<double> base;  // one for each score
  double scale = 1;
  Link link = Link::logit;
  bool single = true;
  Model::Output output = Model::Output::unknown;

  bool goes_left(const Node& node, double x) const;
  // The model's scores z of one point, walked plainly, as the library compares and adds.
  void scores(std::span<const double> x, std::span<double> z) const;
};

// Every comparison as one or two nodes of the ensemble: nodes[node] becomes the entrance.
enum class Compare : std::uint8_t { less_equal, less, greater_equal, greater, equal, not_equal };
struct Branch {
  std::uint32_t input = 0;
  Compare compare = Compare::less_equal;
  double threshold = 0;
  bool missing_yes = false;
  std::uint32_t yes = 0, no = 0;
};
void set_branch(Ensemble& ensemble, std::uint32_t node, const Branch& branch);
// The threshold for values that were rounded to single precision: as the rounded value compares, so does the
// value itself, unless it lies within half a unit in the last place above the threshold.
float single_threshold(double threshold);
// Codes in the set go left.
void set_codes(Ensemble& ensemble, Ensemble::Node& node, std::span<const std::uint32_t> members);

// Error naming `source` unless every way down ends, and everything is within its range and finite.
void check_ensemble(const Ensemble& ensemble, const std::string& source);

std::shared_ptr<const Model> ensemble_model(Ensemble ensemble, const std::string& source);

}  // namespace scfe
