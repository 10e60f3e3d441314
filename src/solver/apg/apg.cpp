#include "solver/apg/apg.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"

namespace scfe {
namespace {

using kernel::read_only, kernel::rows_of;

}  // namespace

void ApgOptions::check() const {
  if (iterations < 1) throw Error("iterations", "at least 1", std::to_string(iterations));
  if (sections < 1) throw Error("sections", "at least 1", std::to_string(sections));
  if (!std::isfinite(gamma) || gamma <= 0) throw Error("gamma", "a finite number > 0", std::to_string(gamma));
  if (!std::isfinite(step) || step <= 0) throw Error("step", "a finite number > 0", std::to_string(step));
  if (!std::isfinite(tolerance) || tolerance < 0)
    throw Error("tolerance", "a finite number >= 0", std::to_string(tolerance));
}

Apg::Apg(std::size_t features, std::size_t max_lanes, const ApgOptions& options)
    : options_(options),
      coefficients_(options),
      state_(features, max_lanes),
      schedule_(options, max_lanes),
      best_(features, max_lanes) {
  options.check();
}

bool Apg::solve(const ApgProblem& problem, const ApgHooks& hooks) {
  start(problem, problem.smooth.gamma().size());
  while (schedule_.has_busy_lanes()) {
    if (hooks.should_stop && hooks.should_stop()) return false;
    choose_step();
    problem.smooth.evaluate(state_.z, state_.at.data(), &state_.gradient);  // f(z), grad f(z)
    if (schedule_.has_ending_lanes()) close_sections(problem);
    if (schedule_.has_running_lanes()) take_step(problem, hooks);
    if (schedule_.has_ending_lanes()) go_on(problem, hooks);
  }
  return true;
}

void Apg::take_step(const ApgProblem& problem, const ApgHooks& hooks) {
  forward_backward(problem);  // trial = prox(z - step grad)
  if (schedule_.has_starting_lanes() && problem.projection == nullptr)
    keep_if_best(problem, state_.z, schedule_.starting());
  if (options_.needs_values()) try_out(problem);
  if (hooks.observe) show(problem, hooks);
  accept_or_shrink();  // sufficient decrease, or a smaller step
  extrapolate();       // z = w + alpha (w - previous w)
  end_sections();
}

void Apg::start(const ApgProblem& problem, std::size_t lanes) {
  assert(problem.smooth.features() == state_.w.features() && lanes <= state_.w.capacity());
  state_.start(lanes, problem.projection != nullptr);
  schedule_.start(lanes);
  best_.set_lanes(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) start_row(problem, lane);
}

void Apg::start_row(const ApgProblem& problem, std::size_t lane) {
  best_.start(lane, problem.orders);
  schedule_.start_row(lane);
  start_section(problem, lane);
}

void Apg::start_section(const ApgProblem& problem, std::size_t lane) {
  state_.restart(lane, options_.step);
  schedule_.start_section(lane);
  problem.smooth.gamma()[lane] = schedule_.gamma(lane);
}

void Apg::choose_step() {
  const std::size_t lanes = state_.w.lanes();
  if (options_.rule == StepRule::backtracking) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      state_.step[lane] = state_.backtracking[lane].step();
      state_.alpha[lane] = coefficients_.alpha(state_.accepts[lane]);
    }
  } else if (schedule_.is_in_step()) {
    const std::size_t t = schedule_.age(0);
    std::fill_n(state_.step.begin(), lanes, coefficients_.paper_step(t));
    std::fill_n(state_.alpha.begin(), lanes, coefficients_.alpha(t));
  } else {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t t = schedule_.age(lane);
      state_.step[lane] = coefficients_.paper_step(t);
      state_.alpha[lane] = coefficients_.alpha(t);
    }
  }
}

void Apg::forward_backward(const ApgProblem& problem) {
  const kernel::Descent step{state_.w.features(), read_only(state_.z), read_only(state_.gradient),
                             state_.step.data(),  state_.at.data(),    state_.doubt.data()};
  if (!problem.prox.descend(step, problem.box, state_.shifted, state_.trial)) return;
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane)
    if (state_.doubt[lane] != 0) schedule_.drop(lane);
}

// Evaluates the trial: backtracking needs its value, keep-best its margin. Even a trial that backtracking
// rejects may be an answer.
void Apg::try_out(const ApgProblem& problem) {
  problem.smooth.evaluate(state_.trial, state_.reached.data(), nullptr);
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane)
    if (!std::isfinite(state_.reached[lane])) schedule_.drop(lane);
  keep_if_best(problem, state_.trial, schedule_.running());
}

void Apg::accept_or_shrink() {
  const bool paper = options_.rule == StepRule::paper;
  if (!schedule_.take_changed() && paper) return;
  const std::vector<char>& running = schedule_.running();
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane)
    state_.accepted[lane] = static_cast<float>(running[lane]);
  if (paper) return;
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane) {
    if (running[lane] && !state_.backtracking[lane].accept(state_.trial_of(lane))) state_.accepted[lane] = 0;
    state_.accepts[lane] += state_.accepted[lane] > 0;
  }
}

void Apg::extrapolate() {
  float* moved = options_.tolerance > 0 ? state_.moved.data() : nullptr;
  kernels_.extrapolate({state_.w.features(), state_.alpha.data(), state_.accepted.data(), moved},
                       read_only(state_.trial), rows_of(state_.w), rows_of(state_.z),
                       state_.w.padded_lanes());
}

// The point to judge in place of w, evaluated. Without a projection that is w, where smooth was evaluated
// last.
const Block& Apg::project(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes) {
  std::copy(lanes.begin(), lanes.end(), state_.judged.begin());
  if (problem.projection == nullptr) return w;
  problem.projection->project(w, state_.judged, state_.projected);
  problem.smooth.evaluate(state_.projected, state_.cost.data(), nullptr);
  return state_.projected;
}

void Apg::keep_if_best(const ApgProblem& problem, const Block& w, const std::vector<char>& lanes) {
  if (options_.keep != Keep::best) return;
  const Block& at = project(problem, w, lanes);
  problem.prox.value(at, state_.cost.data());
  for (std::size_t lane = 0; lane < w.lanes(); ++lane) state_.cost[lane] += problem.smooth.cost()[lane];
  best_.keep(at, {problem.smooth.margin(), problem.smooth.log_density(), state_.cost.data()}, state_.judged);
}

// A section step ends when its iterations are up, or when neither the step nor the momentum moves the lane.
void Apg::end_sections() {
  if (!schedule_.tick()) return;
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane) {
    const bool rests = options_.tolerance > 0 && state_.accepted[lane] > 0 &&
                       state_.moved[lane] <= options_.tolerance * std::min(1.0F, state_.step[lane]);
    if (schedule_.closes(lane, rests)) state_.return_to_last(lane);
  }
}

// The section search continues by whether the last iterate is valid.
void Apg::close_sections(const ApgProblem& problem) {
  const Block& last = project(problem, state_.w, schedule_.closing());
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane) {
    if (!schedule_.closing()[lane]) continue;
    const bool finite = std::isfinite(state_.at[lane]);
    schedule_.close(lane, finite, state_.judged[lane] && problem.smooth.margin()[lane] >= 0);
    state_.judged[lane] = finite && state_.judged[lane] && options_.keep == Keep::last;
    state_.cost[lane] = 0;
    for (std::size_t j = 0; j < last.features(); ++j) state_.cost[lane] += last[j][lane] * last[j][lane];
  }
  best_.keep(last, {problem.smooth.margin(), problem.smooth.log_density(), state_.cost.data()},
             state_.judged);
}

// Lanes whose section step is closed begin the next one, or another row.
void Apg::go_on(const ApgProblem& problem, const ApgHooks& hooks) {
  for (std::size_t lane = 0; lane < state_.w.lanes(); ++lane) {
    if (!schedule_.is_closed(lane)) continue;
    if (schedule_.goes_on(lane))
      start_section(problem, lane);
    else if (hooks.refill && hooks.refill(lane))
      start_row(problem, lane);
    else
      schedule_.retire(lane);
  }
}

void Apg::show(const ApgProblem& problem, const ApgHooks& hooks) {
  const std::size_t lanes = state_.w.lanes();
  const bool projects = problem.projection != nullptr;
  hooks.observe({schedule_.sections(),
                 schedule_.list_iterations(),
                 projects ? state_.projected : state_.trial,
                 {state_.step.data(), lanes},
                 {projects ? state_.judged.data() : schedule_.running().data(), lanes}});
}

}  // namespace scfe
