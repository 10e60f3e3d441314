// Predicts given answers again, and checks each against every limit.
//
// What is checked of each answer:
//
//     missing    each row has a line in the file, with values if the status says that there is an answer
//     validity   the model predicts the target class, with the probability asked for
//     sparsity   at most m features differ, and they are those that the file names
//     limits     immutable, direction, range (widened to the factual), step, transitions, and the row's own
//     rules      between features, and derived columns
//     robust     with --robust: it stays valid in the box around it
//     floor      log q(x | y) >= the rho-quantile; below it if the status says below_floor
#pragma once

#include <string>
#include <vector>

#include "ask/answers_file.h"

namespace scfe::app {

struct Violation {
  std::string row;   // its name
  std::string text;  // for people: "range: amount = 99 is below 250"
};

struct Verified {
  std::size_t checked = 0;  // answers
  std::size_t broken = 0;   // of those that break a limit
  std::size_t below = 0;    // that say below_floor
  std::size_t without = 0;  // rows without an answer
  std::size_t missing = 0;  // rows without a line
  std::vector<std::string> strays;
  std::vector<Violation> violations;
  StabilityProof stability = StabilityProof::none;  // with options.robust

  bool holds() const { return broken + missing + strays.size() == 0; }
};

Verified verify(const Question& question, const GivenAnswers& answers);

}  // namespace scfe::app
