// Validity: what the scores must do for the wish to be granted, as margins that have to reach `required`.
//
//     two classes      t = s z,                  s = +1 for class 1, -1 for class 0
//     several          t_r = z_y - z_r           for each of the strongest rivals r of y
//     a probability P  t = z_y - log sum_{i != y} exp z_i  >=  log(P / (1 - P))        (s z with two)
//     a number         t = z - lo  and  t = hi - z        for a regression model that has to reach [lo, hi]
//
// Margins are on logits: their gradient does not vanish where a probability rounds to 0 or 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scfe/block.h"
#include "scfe/reach.h"

namespace scfe {

struct Wish {
  int target = 0;
  double margin = 1e-4;               // answers sit on the boundary; this keeps them off it
  std::optional<double> probability;  // of the target class, instead of merely winning
  std::optional<Reach> reach = {};    // of the one output, instead of a class
};

class Validity {
 public:
  static constexpr std::size_t max_rivals = 3;

  Validity(std::size_t scores, const Wish& wish);

  // How many margins there are: one, or one for each of the strongest rivals.
  std::size_t rivals() const { return rivals_; }
  double required() const { return required_; }
  // The margin beyond which the wish is granted, were there no distance to keep from the line.
  double granted() const { return granted_; }
  // The least margin of one score that lies somewhere in [lo, hi].
  double least_margin(double lo, double hi) const;

  // margins[r][lane], strongest rival (smallest margin) first; rival[r * stride + lane] is its index, with
  // the stride that scores and margins share.
  void margins(const Block& scores, Block& margins, std::vector<int>& rival) const;
  // seed[k][lane] = d margin_r / d score_k, after margins() on the same scores.
  void seed(const Block& scores, const std::vector<int>& rival, std::size_t r, Block& seed) const;

 private:
  void measure_reach(const Block& scores, std::size_t lane, Block& margins, std::vector<int>& rival) const;
  void rank_rivals(const Block& scores, std::size_t lane, Block& margins, std::vector<int>& rival) const;

  std::size_t scores_, target_, rivals_;
  double required_, granted_ = 0;
  bool by_probability_ = false;
  std::optional<Reach> reach_;
};

}  // namespace scfe
