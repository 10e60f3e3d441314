// When a computation must stop: at a point in time, or as soon as somebody asks for it.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <utility>

namespace scfe {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never
  Deadline(Clock::time_point at, std::stop_token stop = {}) : at_(at), stop_(std::move(stop)) {}
  // 0 seconds: no limit.
  Deadline(double seconds, std::stop_token stop) : stop_(std::move(stop)) {
    if (seconds > 0) at_ = Clock::now() + in_ticks(std::min(seconds, 1e8));
  }

  bool has_time_limit() const { return at_ != Clock::time_point::max(); }
  bool is_past() const { return stop_.stop_requested() || (has_time_limit() && Clock::now() >= at_); }
  double seconds_left() const { return std::chrono::duration<double>(at_ - Clock::now()).count(); }
  Deadline sooner_by(double seconds) const {
    return {has_time_limit() ? at_ - in_ticks(seconds) : at_, stop_};
  }

 private:
  static Clock::duration in_ticks(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  Clock::time_point at_ = Clock::time_point::max();
  std::stop_token stop_;
};

inline bool is_past(const Deadline& deadline) { return deadline.is_past(); }

}  // namespace scfe
