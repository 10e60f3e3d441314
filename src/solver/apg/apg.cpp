#include "solver/apg/apg.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
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

// The paper's steps fall to 1e-43. Below this one no number above 1e-9 moves in single precision, and those
// that are 0 become denormals, or their squares do, which cost ten times as much.
constexpr double least_step = 1e-16;

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
      judged_(max_lanes),
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
      first_(max_lanes),
      closing_(max_lanes),
      phase_(max_lanes),
      gradients_(max_lanes),
      values_(max_lanes),
      section_(max_lanes),
      iteration_(max_lanes),
      started_(max_lanes),
      accepts_(max_lanes) {
  check(options);
  Momentum momentum;
  double sigma = options.step;
  for (int t = 0; t < options.iterations; ++t) {
    momentum_.push_back(static_cast<float>(momentum.next()));
    sigma = paper_step(sigma, t, options.iterations);
    paper_step_.push_back(static_cast<float>(std::max(sigma, least_step)));
  }
}

bool Apg::solve(const ApgProblem& problem, const ApgHooks& hooks) {
  start(problem, problem.smooth.gamma().size());
  while (busy_ > 0) {
    if (hooks.should_stop && hooks.should_stop()) return false;
    choose_step();
    differentiate(problem);  // grad h(z)
    if (ending_ > 0) close_sections(problem);
    if (busy_ > ending_) take_step(problem, hooks);
    if (ending_ > 0) go_on(problem, hooks);
  }
  return true;
}

void Apg::take_step(const ApgProblem& problem, const ApgHooks& hooks) {
  const std::size_t lanes = w_.lanes();
  forward_backward(problem);  // trial = prox(z - step grad)
  if (starting_ > 0 && problem.runway == nullptr) keep_if_best(problem, z_, first_);
  if (needs_values()) try_out(problem);
  if (hooks.observe) {
    for (std::size_t lane = 0; lane < lanes; ++lane) iteration_[lane] = clock_ - started_[lane];
    hooks.observe({{section_.data(), lanes},
                   {iteration_.data(), lanes},
                   problem.runway != nullptr ? landed_ : trial_,
                   {step_.data(), lanes},
                   {problem.runway != nullptr ? judged_.data() : active_.data(), lanes}});
  }
  accept_or_shrink();
  extrapolate();  // z = w + alpha (w - previous w)
  end_sections();
}

ApgCount Apg::count(std::size_t lane) const {
  const long open = active_[lane] ? clock_ - started_[lane] : 0;
  return {gradients_[lane] + open, values_[lane] + (needs_values() ? open : 0), finite_[lane] != 0};
}

void Apg::add_up(std::size_t lane, int iterations) {
  gradients_[lane] += iterations;
  if (needs_values()) values_[lane] += iterations;
}

void Apg::start(const ApgProblem& problem, std::size_t lanes) {
  assert(problem.smooth.features() == w_.features() && lanes <= w_.capacity());
  for (Block* block : {&z_, &w_, &trial_, &shifted_, &gradient_}) {
    block->set_lanes(lanes);
    fill_zero(*block);
  }
  if (problem.runway != nullptr) landed_ = Block(w_.features(), w_.capacity());
  landed_.set_lanes(problem.runway != nullptr ? lanes : 0);
  best_.set_lanes(lanes);
  busy_ = lanes;
  starting_ = ending_ = 0;
  clock_ = 0;
  soonest_ = options_.iterations;
  for (std::size_t lane = 0; lane < lanes; ++lane) start_lane(problem, lane);
}

void Apg::start_lane(const ApgProblem& problem, std::size_t lane) {
  best_.start(lane, problem.floor);
  lane_[lane].gamma = Section(options_.gamma);
  finite_[lane] = 1;
  gradients_[lane] = values_[lane] = 0;
  section_[lane] = 0;
  start_section(problem, lane);
}

// Every section step begins at w = 0, as the public code does.
void Apg::start_section(const ApgProblem& problem, std::size_t lane) {
  for (std::size_t j = 0; j < w_.features(); ++j) z_[j][lane] = w_[j][lane] = 0;
  started_[lane] = clock_;
  accepts_[lane] = 0;
  lane_[lane].backtracking = Backtracking(static_cast<float>(options_.step));
  problem.smooth.gamma()[lane] = static_cast<float>(lane_[lane].gamma.gamma());
  phase_[lane] = Phase::running;
  active_[lane] = first_[lane] = 1;
  closing_[lane] = 0;
  changed_ = true;
  ++starting_;
}

void Apg::choose_step() {
  const std::size_t lanes = w_.lanes();
  if (options_.rule == StepRule::backtracking) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      step_[lane] = lane_[lane].backtracking.step();
      alpha_[lane] = momentum_[accepts_[lane]];
    }
    return;
  }
  if (changed_) {
    const auto end = started_.begin() + static_cast<std::ptrdiff_t>(lanes);
    in_step_ = std::adjacent_find(started_.begin(), end, std::not_equal_to()) == end;
  }
  const int last = options_.iterations - 1;  // idle lanes are past it
  if (in_step_) {
    const auto t = static_cast<std::size_t>(std::min(clock_ - started_[0], last));
    std::fill_n(step_.begin(), lanes, paper_step_[t]);
    std::fill_n(alpha_.begin(), lanes, momentum_[t]);
    return;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto t = static_cast<std::size_t>(std::min(clock_ - started_[lane], last));
    step_[lane] = paper_step_[t];
    alpha_[lane] = momentum_[t];
  }
}

void Apg::differentiate(const ApgProblem& problem) { problem.smooth.evaluate(z_, at_.data(), &gradient_); }

// Whether the last iterate is valid steers the section search.
void Apg::close_sections(const ApgProblem& problem) {
  const Block& last = land(problem, w_, closing_);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    if (!closing_[lane]) continue;
    phase_[lane] = Phase::closed;
    ++values_[lane];
    finite_[lane] = std::isfinite(at_[lane]);
    if (finite_[lane]) lane_[lane].gamma.record(judged_[lane] && problem.smooth.margin()[lane] >= 0);
    closing_[lane] = finite_[lane] && judged_[lane] && options_.keep == Keep::last;
    cost_[lane] = 0;
    for (std::size_t j = 0; j < w_.features(); ++j) cost_[lane] += last[j][lane] * last[j][lane];
  }
  best_.keep(last, {problem.smooth.margin(), problem.smooth.log_density(), cost_.data()}, closing_);
  std::fill(closing_.begin(), closing_.end(), 0);
}

void Apg::forward_backward(const ApgProblem& problem) {
  const kernel::Descent step{w_.features(), read_only(z_), read_only(gradient_),
                             step_.data(),  at_.data(),    doubt_.data()};
  if (problem.prox.descend(step, problem.box, shifted_, trial_))
    for (std::size_t lane = 0; lane < w_.lanes(); ++lane) drop_unless_finite(lane, doubt_[lane] == 0);
}

// The value that backtracking compares, and the margin that keep-best asks for. A trial that is too
// long to be taken is an answer all the same.
void Apg::try_out(const ApgProblem& problem) {
  problem.smooth.evaluate(trial_, reached_.data(), nullptr);
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane)
    drop_unless_finite(lane, std::isfinite(reached_[lane]));
  keep_if_best(problem, trial_, active_);
}

// The point to judge instead of w, evaluated; w itself, the point of the last evaluate, without a runway.
const Block& Apg::land(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes) {
  std::copy(lanes.begin(), lanes.end(), judged_.begin());
  if (problem.runway == nullptr) return w;
  problem.runway->land(w, judged_, landed_);
  problem.smooth.evaluate(landed_, cost_.data(), nullptr);
  return landed_;
}

void Apg::keep_if_best(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes) {
  if (options_.keep != Keep::best) return;
  const Block& at = land(problem, w, lanes);
  problem.prox.value(at, cost_.data());
  for (std::size_t lane = 0; lane < w.lanes(); ++lane) cost_[lane] += problem.smooth.cost()[lane];
  best_.keep(at, {problem.smooth.margin(), problem.smooth.log_density(), cost_.data()}, judged_);
}

void Apg::accept_or_shrink() {
  const bool paper = options_.rule == StepRule::paper;
  if (paper && !changed_) return;
  changed_ = false;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) accepted_[lane] = static_cast<float>(active_[lane]);
  if (paper) return;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    if (active_[lane] && !lane_[lane].backtracking.accept(trial_of(lane))) accepted_[lane] = 0;
    accepts_[lane] += accepted_[lane] > 0;
  }
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

void Apg::extrapolate() {
  kernels_.extrapolate(
      {w_.features(), alpha_.data(), accepted_.data(), options_.tolerance > 0 ? moved_.data() : nullptr},
      read_only(trial_), rows_of(w_), rows_of(z_), w_.padded_lanes());
}

// A section step ends after so many iterations, or when neither the step nor the momentum moves the lane.
void Apg::end_sections() {
  if (starting_ > 0) std::fill(first_.begin(), first_.end(), 0);
  starting_ = 0;
  if (++clock_ < soonest_ && options_.tolerance == 0) return;
  soonest_ = clock_ + options_.iterations;
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    const bool rests = options_.tolerance > 0 && accepted_[lane] > 0 &&
                       moved_[lane] <= options_.tolerance * std::min(1.0F, step_[lane]);
    if (!active_[lane]) continue;
    const int end = started_[lane] + options_.iterations;
    if (!rests && clock_ < end) {
      soonest_ = std::min(soonest_, end);
      continue;
    }
    add_up(lane, clock_ - started_[lane]);
    changed_ = true;
    active_[lane] = 0;
    closing_[lane] = 1;
    phase_[lane] = Phase::closing;
    started_[lane] = clock_;
    accepts_[lane] = 0;
    ++ending_;
    for (std::size_t j = 0; j < w_.features(); ++j) z_[j][lane] = w_[j][lane];
  }
}

// Lanes whose section step is closed take the next one, or another row.
void Apg::go_on(const ApgProblem& problem, const ApgHooks& hooks) {
  for (std::size_t lane = 0; lane < w_.lanes(); ++lane) {
    if (phase_[lane] != Phase::closed) continue;
    --ending_;
    if (finite_[lane] && ++section_[lane] < options_.sections) {
      start_section(problem, lane);
    } else if (hooks.refill && hooks.refill(lane)) {
      start_lane(problem, lane);
    } else {
      phase_[lane] = Phase::idle;
      --busy_;
    }
  }
}

// A lane that is not finite is done.
void Apg::drop_unless_finite(std::size_t lane, bool finite) {
  if (!active_[lane] || finite) return;
  add_up(lane, clock_ - started_[lane] + 1);
  changed_ = true;
  started_[lane] = clock_;
  in_step_ = false;
  active_[lane] = first_[lane] = finite_[lane] = 0;
  phase_[lane] = Phase::closed;
  ++ending_;
}

}  // namespace scfe
