// alpha_t and the paper's step of each iteration t. They are recursions, listed as far as a lane has come:
// time and memory follow the iterations that are made, not those that are allowed.
#pragma once

#include <algorithm>
#include <vector>

#include "solver/apg/momentum.h"
#include "solver/apg/options.h"
#include "solver/apg/step.h"

namespace scfe {

class Coefficients {
 public:
  // The usual numbers of iterations fit in what is allocated here; only longer runs allocate while they
  // iterate.
  explicit Coefficients(const ApgOptions& options) : iterations_(options.iterations), sigma_(options.step) {
    constexpr int usual = 4096;
    const auto count = static_cast<std::size_t>(std::clamp(options.iterations, 0, usual));
    alpha_.reserve(count);
    step_.reserve(count);
  }

  float alpha(std::size_t t) {
    reach(t);
    return alpha_[t];
  }
  float paper_step(std::size_t t) {
    reach(t);
    return step_[t];
  }

 private:
  // The paper's steps fall to 1e-43. Below this one no number above 1e-9 moves in single precision, and zeros
  // become denormals, which are ten times as slow.
  static constexpr double least_step = 1e-16;

  void reach(std::size_t t) {
    while (alpha_.size() <= t) {
      sigma_ = scfe::paper_step(sigma_, static_cast<int>(step_.size()), iterations_);
      alpha_.push_back(static_cast<float>(momentum_.next()));
      step_.push_back(static_cast<float>(std::max(sigma_, least_step)));
    }
  }

  int iterations_;
  double sigma_;
  Momentum momentum_;
  std::vector<float> alpha_, step_;
};

}  // namespace scfe
