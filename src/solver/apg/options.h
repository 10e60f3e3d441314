// The options of Algorithm 1 (apg.h).
#pragma once

#include "solver/apg/step.h"

namespace scfe {

enum class Keep {
  best,  // the cheapest valid iterate
  last,  // the nearest of the section steps' last iterates, as in the paper's public code
};

struct ApgOptions {
  int iterations = 200;
  int sections = 10;
  double gamma = 0.1;  // at the start of the section search
  double step = 0.5;   // at the start of each section step
  StepRule rule = StepRule::backtracking;
  Keep keep = Keep::best;
  double tolerance = 1e-6;  // a lane has converged if no feature moves by more in an iteration; 0: never

  // True if each trial is evaluated, not only the gradient at z.
  bool needs_values() const { return rule == StepRule::backtracking || keep == Keep::best; }
  void check() const;  // throws Error
};

}  // namespace scfe
