// Evaluates one point in double precision and writes its scores into one lane of a block of floats.
//
// The largest score is subtracted before rounding to float. Margins are differences of scores, so they stay
// the same, and a margin close to 0 keeps its sign.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "scfe/model.h"

namespace scfe {

class ScoreOne {
 public:
  explicit ScoreOne(const Model& model) : model_(model), tape_(model.tape(1)), scores_(model.scores()) {}

  void operator()(std::span<const double> x, Block& scores, std::size_t lane) {
    model_.forward_one(x, scores_, *tape_);
    const double peak = scores_.size() == 1 ? 0 : std::ranges::max(scores_);
    for (std::size_t k = 0; k < scores_.size(); ++k) scores[k][lane] = static_cast<float>(scores_[k] - peak);
  }

 private:
  const Model& model_;
  std::unique_ptr<Model::Tape> tape_;
  std::vector<double> scores_;
};

}  // namespace scfe
