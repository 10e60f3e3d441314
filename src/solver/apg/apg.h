// Accelerated proximal gradient, the paper's Algorithm 1, for a block of lanes side by side:
//
//     w_0 = z_0 = 0
//     for t = 0 .. T-1:
//       w_{t+1} = prox(z_t - step_t grad h(z_t))
//       z_{t+1} = w_{t+1} + alpha_{t+1} (w_{t+1} - w_t)
//
// inside the section search for gamma (section.h), each of whose steps begins at w = 0. For images and other
// rows with many features, for penalised sparsity, and to reproduce the paper. Lanes are independent: each
// has its own t and section step (schedule.h). A lane that has converged begins its next section step at
// once, and a lane that is done takes another row.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernel/kernels.h"
#include "objective/smooth.h"
#include "solver/apg/best.h"
#include "solver/apg/coefficients.h"
#include "solver/apg/options.h"
#include "solver/apg/schedule.h"
#include "solver/apg/state.h"
#include "sparsity/prox.h"

namespace scfe {

// Maps iterates to allowed rows, where they are judged (solver/written/landing.h).
class Projection {
 public:
  virtual ~Projection() = default;
  // Fills onto[.][lane] for the lanes that are set; clears those without an allowed row.
  virtual void project(const Block& w, std::vector<char>& lanes, Block& onto) = 0;
};

struct ApgProblem {
  Smooth& smooth;
  const Prox& prox;
  const Box& box;
  std::span<const FloorOrder> orders;  // which iterates of each lane are better; empty: no floor
  Projection* projection = nullptr;    // null: iterates are judged themselves
};

// One iteration, for an observer: the trial, or the allowed row that it was mapped to.
struct ApgIteration {
  std::span<const int> section, iteration;  // of each lane
  const Block& w;
  std::span<const float> step;
  std::span<const char> active;  // lanes that took part
};

struct ApgHooks {
  std::function<void(const ApgIteration&)> observe;
  std::function<bool()> should_stop;  // asked before each iteration, for a time limit
  // Called when a lane is done and its answer can be read. Returns true if it now holds another row.
  std::function<bool(std::size_t lane)> refill = {};
};

// One per thread. Nothing is allocated after construction, unless there are thousands of iterations
// (solver/apg/coefficients.h).
class Apg {
 public:
  Apg(std::size_t features, std::size_t max_lanes, const ApgOptions& options);

  // False if should_stop ended it; best() then has the best so far.
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
  const Block& project(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void keep_if_best(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes);
  void end_sections();
  void close_sections(const ApgProblem& problem);
  void go_on(const ApgProblem& problem, const ApgHooks& hooks);
  void show(const ApgProblem& problem, const ApgHooks& hooks);

  ApgOptions options_;
  const kernel::Kernels& kernels_ = kernel::kernels();
  Coefficients coefficients_;
  ApgState state_;
  Schedule schedule_;
  Best best_;
};

}  // namespace scfe
