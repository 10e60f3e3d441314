#pragma once

#include "solver/apg/step.h"

namespace scfe {

enum class Keep {
  best,  // the cheapest valid iterate
  last,  // only the last iterate of each section step, the nearest of them: the public code
};

struct ApgOptions {
  int iterations = 200;
  int sections = 10;
  double gamma = 0.1;  // where the section search starts
  double step = 0.5;   // where the step starts
  StepRule rule = StepRule::backtracking;
  Keep keep = Keep::best;
  double tolerance = 1e-6;  // a lane rests once no feature moves by more in an iteration; 0: never

  // True if each trial is evaluated, not only the gradient at z.
  bool needs_values() const { return rule == StepRule::backtracking || keep == Keep::best; }
  void check() const;  // throws Error
};

}  // namespace scfe
