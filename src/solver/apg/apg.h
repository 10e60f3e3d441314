// Accelerated proximal gradient, the paper's Algorithm 1, for a block of lanes side by side:
//
//     w_0 = z_0 = 0
//     for t = 0 .. T-1:
//       w_{t+1} = prox(z_t - step_t grad h(z_t))
//       z_{t+1} = w_{t+1} + alpha_{t+1} (w_{t+1} - w_t)
//
// and around it the section search on gamma (section.h), from w = 0 each time. Serves images and large
// d, penalised p, and the reproduction of the paper. Lanes do not see each other: each has its own t and its
// own place in the section search; one that rests goes on to its next section step at once, and one that is
// done makes room for another row.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernel/kernels.h"
#include "objective/smooth.h"
#include "solver/apg/best.h"
#include "solver/apg/options.h"
#include "solver/apg/schedule.h"
#include "solver/apg/state.h"
#include "sparsity/prox.h"

namespace scfe {

// Where iterates are no answers as they stand: what each comes down to (solver/landing.h).
class Runway {
 public:
  virtual ~Runway() = default;
  // onto[.][lane] for the lanes that are set; one that does not land is cleared.
  virtual void land(const Block& w, std::vector<char>& lanes, Block& onto) = 0;
};

struct ApgProblem {
  Smooth& smooth;
  const Prox& prox;
  const Box& box;
  std::span<const float> floor;  // least log-density of each lane, which smooth must then watch; empty: none
  Runway* runway = nullptr;      // null: iterates are judged as they are
};

// One iteration as an observer sees it: what was tried, before the extrapolation, and where it landed.
struct ApgIteration {
  std::span<const int> section, iteration;  // of each lane
  const Block& w;
  std::span<const float> step;
  std::span<const char> active;  // lanes that took part
};

struct ApgHooks {
  std::function<void(const ApgIteration&)> observe;
  std::function<bool()> should_stop;  // asked before each iteration: a time limit
  // A lane is done: its answer is there to be read. True: another row stands in it now.
  std::function<bool(std::size_t lane)> refill = {};
};

// One per thread. Nothing is allocated after construction.
class Apg {
 public:
  Apg(std::size_t features, std::size_t max_lanes, const ApgOptions& options);

  // False if should_stop ended it; the best so far stands.
  bool solve(const ApgProblem& problem, const ApgHooks& hooks = {});

  const Best& best() const { return best_; }
  ApgCount count(std::size_t lane) const { return schedule_.count(lane); }

 private:
  void start(const ApgProblem& problem, std::size_t lanes);
  void start_row(const ApgProblem& problem, std::size_t lane);
  void start_section(const ApgProblem& problem, std::size_t lane);
  void choose_step();
  void take_step(const ApgProblem& problem, const ApgHooks& hooks);
  void forward_backward(const ApgProblem& problem);
  void try_out(const ApgProblem& problem);
  void accept_or_shrink();
  void extrapolate();
  const Block& land(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void keep_if_best(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void end_sections();
  void close_sections(const ApgProblem& problem);
  void go_on(const ApgProblem& problem, const ApgHooks& hooks);
  void show(const ApgProblem& problem, const ApgHooks& hooks);

  ApgOptions options_;
  const kernel::Kernels& kernels_ = kernel::kernels();
  std::vector<float> momentum_, paper_step_;  // alpha and the paper's step of each iteration
  ApgState state_;
  Schedule schedule_;
  Best best_;
};

}  // namespace scfe
