// Margins that do not hang on rounding: for models with hard decisions inside (votes, comparisons of computed
// numbers), whose scores jump where such a decision turns. A row may win by far and yet stand on an inner
// boundary, where the last bits of another runtime decide.
//
//     margin(x) = min over x and copies of it of margin,     copy_i = x_i ± (1e-6 range_i + 8 ulp(x_i))
//
// with the ulps of the precision in use, single where the file declares its input so. For a tree ensemble
// it is the least margin over the scores that the library that trained it may compute.
//
// Whole numbers and levels move too: 0.1 · 3 - 0.3 is rounded like any other sum. What the model only
// compares or looks up is read exactly everywhere, and stays; so does a category that it compares besides.
#pragma once

#include <optional>

#include "actionability/space.h"
#include "model/score_one.h"
#include "validity/validity.h"

namespace scfe {

// One per thread. Nothing is allocated after construction.
class RoundedMargins {
 public:
  // How far an input moves: fixed + of_value |x|. Nothing: it stays.
  struct Jitter {
    double fixed = 0, of_value = 0;
  };

  // True for a model with steps (model/stepped.h), and for trees whose file has fewer digits than they had.
  static bool are_needed(const Model& model);
  RoundedMargins(const Model& model, const Space& space, const Validity& validity, std::size_t max_lanes);

  // In each lane that reaches the target, replaces the margin by the smallest over its slightly shifted
  // copies. NaN counts as the smallest. Lanes for which `unrounded` has inputs are moved and judged in
  // double.
  void lower(const Block& x, std::span<const std::span<const double>> unrounded, Block& margins);

 private:
  using Lanes = std::span<const std::size_t>;
  using Unrounded = std::span<const std::span<const double>>;

  void lower_trees(const Block& x, Unrounded unrounded, std::size_t lane, Block& margins);
  void lower_some(const Block& x, Unrounded unrounded, Lanes lanes, Block& margins);
  void score_unrounded(std::span<const double> x, std::size_t first_copy);
  double slack(std::size_t input, double value) const;

  const Model& model_;
  const Validity& validity_;
  std::unique_ptr<Model::Tape> tape_;
  std::optional<ScoreOne> score_one_;  // of a model that computes in double
  Block x_, scores_, margins_;
  std::vector<int> rival_;
  std::vector<std::size_t> valid_;
  std::vector<Jitter> jitter_;  // per input
  std::vector<float> signs_;    // [input][pair of copies], the same for every row
  std::vector<double> moved_, least_, most_;
};

}  // namespace scfe
