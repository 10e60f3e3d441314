// Evaluates points in double precision and writes their scores into lanes of a block of floats.
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
  // `most_points`: as many as are evaluated together without allocating.
  explicit ScoreOne(const Model& model, std::size_t most_points = 1)
      : model_(model), tape_(model.tape(1)), scores_(model.scores() * most_points) {}

  void operator()(std::span<const double> x, Block& scores, std::size_t lane) {
    const std::span<double> own = std::span(scores_).first(model_.scores());
    model_.forward_one(x, own, *tape_);
    write(own, scores, lane);
  }
  // lanes[i] is the lane of points[i].
  void operator()(std::span<const std::span<const double>> points, std::span<const std::size_t> lanes,
                  Block& scores) {
    const std::size_t count = model_.scores();
    scores_.resize(std::max(scores_.size(), points.size() * count));
    model_.forward_each(points, std::span(scores_).first(points.size() * count), *tape_);
    for (std::size_t i = 0; i < points.size(); ++i)
      write(std::span(scores_).subspan(i * count, count), scores, lanes[i]);
  }

 private:
  static void write(std::span<const double> own, Block& scores, std::size_t lane) {
    const double peak = own.size() == 1 ? 0 : std::ranges::max(own);
    for (std::size_t k = 0; k < own.size(); ++k) scores[k][lane] = static_cast<float>(own[k] - peak);
  }

  const Model& model_;
  std::unique_ptr<Model::Tape> tape_;
  std::vector<double> scores_;
};

}  // namespace scfe
