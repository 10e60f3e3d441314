#include "solver/apg/schedule.h"

namespace scfe {

Schedule::Schedule(const ApgOptions& options, std::size_t max_lanes)
    : options_(options),
      phase_(max_lanes),
      running_(max_lanes),
      starting_lanes_(max_lanes),
      closing_(max_lanes),
      finite_(max_lanes),
      gamma_(max_lanes, Section(options.gamma)),
      section_(max_lanes),
      iteration_(max_lanes),
      began_(max_lanes),
      gradients_(max_lanes),
      values_(max_lanes) {}

void Schedule::start(std::size_t lanes) {
  lanes_ = busy_ = lanes;
  starting_ = ending_ = 0;
  clock_ = 0;
  soonest_ = options_.iterations;
}

void Schedule::start_row(std::size_t lane) {
  gamma_[lane] = Section(options_.gamma);
  finite_[lane] = 1;
  gradients_[lane] = values_[lane] = 0;
  section_[lane] = 0;
}

void Schedule::start_section(std::size_t lane) {
  began_[lane] = clock_;
  phase_[lane] = Phase::running;
  running_[lane] = starting_lanes_[lane] = 1;
  closing_[lane] = 0;
  changed_ = true;
  ++starting_;
}

bool Schedule::tick() {
  if (starting_ > 0) std::fill(starting_lanes_.begin(), starting_lanes_.end(), 0);
  starting_ = 0;
  if (++clock_ < soonest_ && options_.tolerance == 0) return false;
  soonest_ = clock_ + options_.iterations;
  return true;
}

bool Schedule::closes(std::size_t lane, bool rests) {
  if (!running_[lane]) return false;
  const std::int64_t end = began_[lane] + options_.iterations;
  if (!rests && clock_ < end) {
    soonest_ = std::min(soonest_, end);
    return false;
  }
  add_up(lane, clock_ - began_[lane]);
  changed_ = true;
  running_[lane] = 0;
  closing_[lane] = 1;
  phase_[lane] = Phase::closing;
  began_[lane] = clock_;
  ++ending_;
  return true;
}

void Schedule::close(std::size_t lane, bool finite, bool valid) {
  phase_[lane] = Phase::closed;
  closing_[lane] = 0;
  ++values_[lane];
  finite_[lane] = finite;
  if (finite) gamma_[lane].record(valid);
}

void Schedule::drop(std::size_t lane) {
  if (!running_[lane]) return;
  add_up(lane, clock_ - began_[lane] + 1);
  changed_ = true;
  began_[lane] = clock_;
  in_step_ = false;
  running_[lane] = starting_lanes_[lane] = finite_[lane] = 0;
  phase_[lane] = Phase::closed;
  ++ending_;
}

bool Schedule::goes_on(std::size_t lane) {
  --ending_;
  return finite_[lane] && ++section_[lane] < options_.sections;
}

void Schedule::retire(std::size_t lane) {
  phase_[lane] = Phase::idle;
  --busy_;
}

bool Schedule::is_in_step() {
  if (changed_) {
    const auto end = began_.begin() + static_cast<std::ptrdiff_t>(lanes_);
    in_step_ = std::adjacent_find(began_.begin(), end, std::not_equal_to()) == end;
  }
  return in_step_;
}

ApgCount Schedule::count(std::size_t lane) const {
  const long open = running_[lane] ? clock_ - began_[lane] : 0;
  return {gradients_[lane] + open, values_[lane] + (options_.needs_values() ? open : 0), finite_[lane] != 0};
}

std::span<const int> Schedule::list_iterations() {
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    iteration_[lane] = static_cast<int>(clock_ - began_[lane]);
  return {iteration_.data(), lanes_};
}

void Schedule::add_up(std::size_t lane, std::int64_t iterations) {
  gradients_[lane] += iterations;
  if (options_.needs_values()) values_[lane] += iterations;
}

}  // namespace scfe
