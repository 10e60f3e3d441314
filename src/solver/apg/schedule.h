// Where each lane of a block is in its own run: which section step, since when, and what comes next.
//
// clang-format off
//     running  iterates, until its iterations are up or it rests
//     closing  the next evaluation is at its last iterate, which tells how the section step ended
//     closed   that is known, or the lane was dropped because a number was not finite;
//              next: another section step, another row, or idle
//     idle     there are no more rows
// clang-format on
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/apg/options.h"
#include "solver/apg/section.h"

namespace scfe {

// Effort and health of one lane.
struct ApgCount {
  long gradients = 0, values = 0;
  bool finite = true;  // false: a value or gradient was not, and the lane stopped there
};

class Schedule {
 public:
  Schedule(const ApgOptions& options, std::size_t max_lanes);

  void start(std::size_t lanes);
  void start_row(std::size_t lane);
  void start_section(std::size_t lane);
  // One iteration of the block is over. False if no lane can have ended its section step.
  bool tick();
  // True if the lane's section step is over: it is closing now. Asked of every lane after tick().
  bool closes(std::size_t lane, bool rests);
  void close(std::size_t lane, bool finite, bool valid);
  // Ends the row of a running lane: one of its numbers is not finite.
  void drop(std::size_t lane);
  // Leaves the phase closed. True if another section step of the same row is due.
  bool goes_on(std::size_t lane);
  void retire(std::size_t lane);

  bool has_busy_lanes() const { return busy_ > 0; }
  bool has_running_lanes() const { return busy_ > ending_; }
  bool has_starting_lanes() const { return starting_ > 0; }
  bool has_ending_lanes() const { return ending_ > 0; }  // closing or closed
  bool is_closed(std::size_t lane) const { return phase_[lane] == Phase::closed; }
  const std::vector<char>& running() const { return running_; }
  const std::vector<char>& starting() const { return starting_lanes_; }
  const std::vector<char>& closing() const { return closing_; }

  float gamma(std::size_t lane) const { return static_cast<float>(gamma_[lane].gamma()); }
  // Iterations since the lane's section step began; idle lanes stay at the last one.
  std::size_t age(std::size_t lane) const {
    return static_cast<std::size_t>(std::min<std::int64_t>(clock_ - began_[lane], options_.iterations - 1));
  }
  // True if all lanes have the same age.
  bool is_in_step();
  // True if lanes began or ended a section step, or were dropped, since this was last asked.
  bool take_changed() { return std::exchange(changed_, false); }

  ApgCount count(std::size_t lane) const;
  std::span<const int> sections() const { return {section_.data(), lanes_}; }
  std::span<const int> list_iterations();  // of each lane

 private:
  enum class Phase : char { running, closing, closed, idle };
  void add_up(std::size_t lane, std::int64_t iterations);

  ApgOptions options_;
  std::size_t lanes_ = 0;
  std::vector<Phase> phase_;
  std::vector<char> running_, starting_lanes_, closing_, finite_;  // starting: in its first iteration
  std::vector<Section> gamma_;
  std::vector<int> section_, iteration_;
  std::vector<std::int64_t> began_;  // the section step, by clock_
  std::vector<long> gradients_, values_;
  std::size_t busy_ = 0, starting_ = 0, ending_ = 0;
  std::int64_t clock_ = 0,
               soonest_ = 0;  // iterations of the block; when the first lane has had all of its own
  bool changed_ = false, in_step_ = false;
};

}  // namespace scfe
