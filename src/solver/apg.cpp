#include "solver/apg.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"

namespace scfe {
namespace {

using kernel::read_only, kernel::rows_of;

void check(const ApgOptions& options) {
  if (options.iterations < 1) throw Error("iterations", "at least 1", std::to_string(options.iterations));
  if (options.sections < 1) throw Error("sections", "at least 1", std::to_string(options.sections));
  if (!std::isfinite(options.gamma) || options.gamma <= 0)
    throw Error("gamma", "a finite number > 0", std::to_string(options.gamma));
  if (!std::isfinite(options.step) || options.step <= 0)
    throw Error("step", "a finite number > 0", std::to_string(options.step));
  if (!std::isfinite(options.tolerance) || options.tolerance < 0)
    throw Error("tolerance", "a finite number >= 0", std::to_string(options.tolerance));
}

void fill_zero(Block& block) { std::fill_n(block.data(), block.features() * block.stride(), 0.0F); }

}  // namespace

Apg::Apg(std::size_t features, std::size_t max_lanes, const ApgOptions& options)
    : options_(options),
      best_(features, max_lanes),
      z_(features, max_lanes),
      w_(features, max_lanes),
      trial_(features, max_lanes),
      shifted_(features, max_lanes),
      gradient_(features, max_lanes),
      lane_(max_lanes),
      step_(padded(max_lanes), 1.0F),
      at_(padded(max_lanes)),
      reached_(padded(max_lanes)),
      cost_(padded(max_lanes)),
      alpha_(padded(max_lanes)),
      moved_(padded(max_lanes)),
      doubt_(padded(max_lanes)),
      accepted_(padded(max_lanes)),
      active_(max_lanes),
      finite_(max_lanes),
      gradients_(max_lanes),
      values_(max_lanes),
      accepts_(max_lanes) {
  check(options);
  Momentum momentum;
  for (int t = 0; t < options.iterations; ++t) momentum_.push_back(static_cast<float>(momentum.next()));
}

bool Apg::solve(const ApgProblem& problem, const ApgHooks& hooks) {
  start(problem, problem.smooth.gamma().size());
  for (int section = 0; section < options_.sections; ++section)
    if (!run(problem, hooks, section)) return false;
  return true;
}

bool Apg::run(const ApgProblem& problem, const ApgHooks& hooks, int section) {
  const std::size_t lanes = w_.lanes();
  restart(problem);
  for (int t = 0; t < options_.iterations; ++t) {
    if (std::none_of(active_.begin(), active_.end(), [](char active) { return active != 0; })) break;
    if (hooks.should_stop && hooks.should_stop()) return false;
    choose_step(t);
    differentiate(problem);  // grad h(z)
    if (t == 0) keep_if_best(problem, z_);
    forward_backward(problem);  // trial = prox(z - step grad)
    if (needs_values()) try_out(problem);
    if (hooks.observe) hooks.observe({section, t, trial_, {step_.data(), lanes}, {active_.data(), lanes}});
    accept_or_shrink();
    extrapolate();  // z = w + alpha (w - previous w)
  }
  finish(problem);
  return true;
}

void Apg::start(const ApgProblem& problem, std::size_t lanes) {
  assert(problem.smooth.features() == w_.features() && lanes <= w_.capacity());
  for (Block* block : {&z_, &w_, &trial_, &shifted_, &gradient_}) {
    block->set_lanes(lanes);
    fill_zero(*block);
  }
  best_.start(lanes, problem.floor);
  std::fill(lane_.begin(), lane_.end(), Lane{});
  std::fill(finite_.begin(), finite_.end(), 1);
  std::fill(gradients_.begin(), gradients_.end(), 0);
  std::fill(values_.begin(), values_.end(), 0);
  for (Lane& lane : lane_) lane.section = Section(options_.gamma);
}

// Every section step begins at w = 0, as the public code does.
void Apg::restart(const ApgProblem& problem) {
  fill_zero(z_);
  fill_zero(w_);
  sigma_ = options_.step;
  std::fill(active_.begin(), active_.end(), 0);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    accepts_[lane] = 0;
    lane_[lane].backtracking = Backtracking(static_cast<float>(options_.step));
    active_[lane] = finite_[lane];
    problem.smooth.gamma()[lane] = static_cast<float>(lane_[lane].section.gamma());
  }
}

void Apg::choose_step(int t) {
  sigma_ = paper_step(sigma_, t, options_.iterations);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane)
    step_[lane] =
        options_.rule == StepRule::paper ? static_cast<float>(sigma_) : lane_[lane].backtracking.step();
}

void Apg::differentiate(const ApgProblem& problem) {
  problem.smooth.evaluate(z_, at_.data(), &gradient_);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    gradients_[lane] += active_[lane];
    doubt_[lane] = at_[lane] * 0;
  }
  drop_doubtful();
}

void Apg::forward_backward(const ApgProblem& problem) {
  kernels_.descend(w_.features(), read_only(z_), read_only(gradient_), step_.data(), rows_of(shifted_),
                   doubt_.data(), w_.padded_lanes());
  drop_doubtful();
  problem.prox.prox(shifted_, step_.data(), problem.box, trial_);
}

// The value that backtracking compares, and the margin that keep-best asks for. A trial that is too
// long to be taken is an answer all the same.
void Apg::try_out(const ApgProblem& problem) {
  problem.smooth.evaluate(trial_, reached_.data(), nullptr);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    values_[lane] += active_[lane];
    drop_unless_finite(lane, std::isfinite(reached_[lane]));
  }
  keep_if_best(problem, trial_);
}

// At the point of the last evaluate.
void Apg::keep_if_best(const ApgProblem& problem, const Block& w) {
  if (options_.keep != Keep::best) return;
  problem.prox.value(w, cost_.data());
  for (std::size_t lane = 0; lane < w.lanes(); ++lane) cost_[lane] += problem.smooth.cost()[lane];
  best_.keep(w, {problem.smooth.margin(), problem.smooth.log_density(), cost_.data()}, active_);
}

void Apg::accept_or_shrink() {
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane)
    accepted_[lane] = static_cast<float>(active_[lane] && (options_.rule == StepRule::paper ||
                                                           lane_[lane].backtracking.accept(trial_of(lane))));
}

Trial Apg::trial_of(std::size_t lane) const {
  Trial trial{at_[lane], reached_[lane], 0, 0};
  for (std::size_t j = 0; j < w_.features(); ++j) {
    const float move = trial_[j][lane] - z_[j][lane];
    trial.slope += gradient_[j][lane] * move;
    trial.square += move * move;
  }
  return trial;
}

// A lane rests when neither the step nor the momentum moves it any more.
void Apg::extrapolate() {
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane)
    if (accepted_[lane] > 0) alpha_[lane] = momentum_[accepts_[lane]++];
  kernels_.extrapolate({w_.features(), alpha_.data(), accepted_.data(), moved_.data()}, read_only(trial_),
                       rows_of(w_), rows_of(z_), w_.padded_lanes());
  if (options_.tolerance == 0) return;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane)
    if (accepted_[lane] > 0 && moved_[lane] <= options_.tolerance * std::min(1.0F, step_[lane]))
      active_[lane] = 0;
}

// Whether the last iterate is valid steers the section search.
void Apg::finish(const ApgProblem& problem) {
  problem.smooth.evaluate(w_, reached_.data(), nullptr);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    active_[lane] = finite_[lane];
    values_[lane] += active_[lane];
    drop_unless_finite(lane, std::isfinite(reached_[lane]));
    if (active_[lane]) lane_[lane].section.record(problem.smooth.margin()[lane] >= 0);
  }
  if (options_.keep != Keep::last) return;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    cost_[lane] = 0;
    for (std::size_t j = 0; j < w_.features(); ++j) cost_[lane] += w_[j][lane] * w_[j][lane];
  }
  best_.keep(w_, {problem.smooth.margin(), problem.smooth.log_density(), cost_.data()}, active_);
}

// Lanes whose doubt is no number; nearly never any.
void Apg::drop_doubtful() {
  float any = 0;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) any += doubt_[lane];
  if (any == 0) return;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) drop_unless_finite(lane, doubt_[lane] == 0);
}

void Apg::drop_unless_finite(std::size_t lane, bool finite) {
  if (!active_[lane] || finite) return;
  active_[lane] = 0;
  finite_[lane] = 0;
}

}  // namespace scfe
