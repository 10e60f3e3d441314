// Validity: the target is reached if all margins of the scores are at least `required`.
//
//     two classes      t = s z,                  s = +1 for class 1, -1 for class 0
//     several          t_r = z_y - z_r           for each of the strongest rivals r of y
//     a probability P  t = z_y - log sum_{i != y} exp z_i  >=  log(P / (1 - P))        (s z with two)
//     a number         t = z - lo  and  t = hi - z        for a regression target [lo, hi]
//
// Margins use logits, whose gradient does not vanish where a probability rounds to 0 or 1.
#pragma once

#include <optional>
#include <vector>

#include "scfe/block.h"
#include "scfe/reach.h"

namespace scfe {

struct TargetSpec {
  int target = 0;
  double margin = 1e-4;               // distance to keep from the decision boundary
  std::optional<double> probability;  // required for the target class; otherwise it only has to win
  std::optional<Reach> reach = {};    // target range of a regression output, instead of a class
};

class Validity {
 public:
  static constexpr std::size_t max_rivals = 3;

  Validity(std::size_t scores, const TargetSpec& spec);

  // The number of margins: one, or one for each of the strongest rivals.
  std::size_t rivals() const { return rivals_; }
  std::size_t target() const { return target_; }
  double required() const { return required_; }
  // The margin at which the target is reached exactly, without the safety distance `margin`.
  double decision_margin() const { return decision_margin_; }
  // The least margin over scores in [lo, hi] of a model with one output.
  double least_margin(double lo, double hi) const;

  // Fills margins[r][lane], strongest rival (smallest margin) first. rival[r * stride + lane] is the rival's
  // index; stride is that of scores and margins.
  void margins(const Block& scores, Block& margins, std::vector<int>& rival) const;
  // Fills seed[k][lane] = d margin_r / d score_k. Call margins() on the same scores first.
  void seed(const Block& scores, const std::vector<int>& rival, std::size_t r, Block& seed) const;

 private:
  void measure_reach(const Block& scores, std::size_t lane, Block& margins, std::vector<int>& rival) const;
  void rank_rivals(const Block& scores, std::size_t lane, Block& margins, std::vector<int>& rival) const;

  std::size_t scores_, target_, rivals_;
  double required_, decision_margin_ = 0;
  bool by_probability_ = false;
  std::optional<Reach> reach_;
};

}  // namespace scfe
