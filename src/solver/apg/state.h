// The numbers of the iteration (apg.h): blocks with a column for each lane, and vectors with an entry for
// each.
#pragma once

#include <algorithm>
#include <vector>

#include "scfe/block.h"
#include "solver/apg/step.h"

namespace scfe {

struct ApgState {
  ApgState(std::size_t features, std::size_t max_lanes)
      : z(features, max_lanes),
        w(features, max_lanes),
        trial(features, max_lanes),
        shifted(features, max_lanes),
        gradient(features, max_lanes),
        step(padded(max_lanes), 1.0F),
        alpha(padded(max_lanes)),
        at(padded(max_lanes)),
        reached(padded(max_lanes)),
        cost(padded(max_lanes)),
        moved(padded(max_lanes)),
        doubt(padded(max_lanes)),
        accepted(padded(max_lanes)),
        judged(max_lanes),
        backtracking(max_lanes, Backtracking(0)),
        accepts(max_lanes) {}

  // `projects`: iterates are mapped to allowed rows before they are judged.
  void start(std::size_t lanes, bool projects) {
    for (Block* block : {&z, &w, &trial, &shifted, &gradient}) {
      block->set_lanes(lanes);
      std::fill_n(block->data(), block->features() * block->stride(), 0.0F);
    }
    if (projects) projected = Block(w.features(), w.capacity());
    projected.set_lanes(projects ? lanes : 0);
  }
  // Every section step begins at w = 0, as in the public code.
  void restart(std::size_t lane, double first_step) {
    for (std::size_t j = 0; j < w.features(); ++j) z[j][lane] = w[j][lane] = 0;
    backtracking[lane] = Backtracking(static_cast<float>(first_step));
    accepts[lane] = 0;
  }
  // The next evaluation is at the last iterate.
  void return_to_last(std::size_t lane) {
    for (std::size_t j = 0; j < w.features(); ++j) z[j][lane] = w[j][lane];
    accepts[lane] = 0;
  }

  Trial trial_of(std::size_t lane) const {
    Trial result{at[lane], reached[lane], 0, 0};
    for (std::size_t j = 0; j < w.features(); ++j) {
      const float move = trial[j][lane] - z[j][lane];
      result.slope += gradient[j][lane] * move;
      result.square += move * move;
    }
    return result;
  }

  Block z, w, trial, shifted, gradient;  // shifted: z - step grad
  Block projected;                       // the allowed rows that iterates are judged at
  std::vector<float> step, alpha;
  std::vector<float> at, reached;  // f(z), f(trial)
  std::vector<float> cost;         // of what is judged
  std::vector<float> moved;        // how far the features of the lane moved at most
  std::vector<float> doubt;        // not 0: a number of the lane is not finite
  std::vector<float> accepted;     // 1: the trial is taken, 0: it is not
  std::vector<char> judged;        // lanes whose iterate is judged
  std::vector<Backtracking> backtracking;
  std::vector<std::size_t> accepts;  // trials taken since the restart, under backtracking
};

}  // namespace scfe
