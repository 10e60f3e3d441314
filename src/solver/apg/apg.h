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
#include "solver/apg/momentum.h"
#include "solver/apg/section.h"
#include "solver/apg/step.h"
#include "sparsity/prox.h"

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
};

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

// Effort and health of one lane.
struct ApgCount {
  long gradients = 0, values = 0;
  bool finite = true;  // false: a value or gradient was not, and the lane stopped there
};

// One per thread. Nothing is allocated after construction.
class Apg {
 public:
  Apg(std::size_t features, std::size_t max_lanes, const ApgOptions& options);

  // False if should_stop ended it; the best so far stands.
  bool solve(const ApgProblem& problem, const ApgHooks& hooks = {});

  const Best& best() const { return best_; }
  ApgCount count(std::size_t lane) const;

 private:
  // What a lane has to itself beside its columns of the blocks.
  struct Lane {
    Backtracking backtracking{0};
    Section gamma{0};
  };
  enum class Phase : char {
    running,
    closing,  // z = w: the next evaluation tells whether the section step ended at an answer
    closed,   // it did tell
    idle,     // done, and nobody took the lane
  };

  void start(const ApgProblem& problem, std::size_t lanes);
  void start_lane(const ApgProblem& problem, std::size_t lane);
  void start_section(const ApgProblem& problem, std::size_t lane);
  void choose_step();
  void take_step(const ApgProblem& problem, const ApgHooks& hooks);
  void differentiate(const ApgProblem& problem);
  void close_sections(const ApgProblem& problem);
  void forward_backward(const ApgProblem& problem);
  void try_out(const ApgProblem& problem);
  const Block& land(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void keep_if_best(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void accept_or_shrink();
  void extrapolate();
  void end_sections();
  void go_on(const ApgProblem& problem, const ApgHooks& hooks);

  bool needs_values() const { return options_.rule == StepRule::backtracking || options_.keep == Keep::best; }
  void drop_unless_finite(std::size_t lane, bool finite);
  void add_up(std::size_t lane, int iterations);
  Trial trial_of(std::size_t lane) const;

  ApgOptions options_;
  const kernel::Kernels& kernels_ = kernel::kernels();
  Best best_;
  Block z_, w_, trial_, shifted_, gradient_;
  Block landed_;              // empty without a runway
  std::vector<char> judged_;  // lanes that landed
  std::vector<Lane> lane_;
  std::vector<float> step_, at_, reached_, cost_, alpha_, moved_, doubt_, accepted_;
  std::vector<char> active_, finite_;  // active: running
  std::vector<char> first_, closing_;  // active for the first time since the restart; phase closing
  std::vector<Phase> phase_;
  std::vector<long> gradients_, values_;
  std::vector<int> section_, iteration_;              // iteration_: for observers
  std::vector<int> started_;                          // when the lane's section step began, by clock_
  std::vector<std::size_t> accepts_;                  // of each lane since the restart, by backtracking
  std::vector<float> momentum_, paper_step_;          // alpha after so many; the step of each iteration
  std::size_t busy_ = 0, starting_ = 0, ending_ = 0;  // lanes not idle, in first_, closing or closed
  bool changed_ = false;  // lanes began or ended a section step, or were dropped, since accepted_ was set
  bool in_step_ = false;  // every lane began its section step at the same time
  int clock_ = 0, soonest_ = 0;  // iterations of the block so far; when the first lane has had all of its
};

}  // namespace scfe
