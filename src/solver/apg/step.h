// Two rules for the step of w = prox(z - step grad):
//
//     paper         sigma_{t+1} = sigma_t sqrt(1 - t / T). It compounds: 2e-7 of the start at half time.
//                   To reproduce the paper.
//     backtracking  accept w if  f(w) <= f(z) + grad·(w - z) + |w - z|² / (2 step),  else halve the step
//                   and try again; after a success the step grows again. The default.
#pragma once

#include <algorithm>
#include <cmath>

#include "scfe/choices.h"

namespace scfe {

// The step of iteration t = 0 .. T-1, given that of t - 1 (of t = 0: the start).
inline double paper_step(double before, int t, int iterations) {
  return before * std::sqrt(1 - static_cast<double>(t) / iterations);
}

// What the test of backtracking needs, all of one lane.
struct Trial {
  float at;       // f(z)
  float reached;  // f(w)
  float slope;    // grad·(w - z)
  float square;   // |w - z|²
};

// Values are sums of floats: differences below their rounding error are not significant.
inline float rounding(float value) { return 1e-6F * std::max(1.0F, std::fabs(value)); }

inline bool sufficient_decrease(const Trial& trial, float step) {
  return trial.reached <= trial.at + trial.slope + trial.square / (2 * step) + rounding(trial.at);
}

// One lane's step under backtracking.
class Backtracking {
 public:
  explicit Backtracking(float start) : step_(start), smallest_(start * 1e-9F) {}

  float step() const { return step_; }
  // True if the trial is accepted; always if the step is tiny. If the move is below rounding error, the test
  // is not significant and the step does not grow: it would grow until the iterates oscillate.
  bool accept(const Trial& trial) {
    const bool telling = trial.square / (2 * step_) > rounding(trial.at);
    const bool taken = step_ <= smallest_ || sufficient_decrease(trial, step_);
    if (!taken) step_ *= 0.5F;
    if (taken && telling) step_ *= 1.25F;
    return taken;
  }

 private:
  float step_, smallest_;
};

}  // namespace scfe
