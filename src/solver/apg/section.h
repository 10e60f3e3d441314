// Section search for the least gamma, the weight of the validity loss, that gives a valid answer.
//
//     gamma <- 10 gamma                   until an answer is valid,
//     gamma <- (failed + succeeded) / 2   from then on:
//
// bisection between the largest gamma that failed (0 at first) and the smallest that succeeded. One
// per lane. It is a heuristic: validity is not monotone in gamma.
#pragma once

#include <limits>

namespace scfe {

class Section {
 public:
  explicit Section(double start) : gamma_(start) {}

  double gamma() const { return gamma_; }
  void record(bool valid) {
    (valid ? succeeded_ : failed_) = gamma_;
    const bool bracketed = succeeded_ < std::numeric_limits<double>::infinity();
    gamma_ = bracketed ? (failed_ + succeeded_) / 2 : 10 * gamma_;
  }

 private:
  double gamma_;
  double failed_ = 0, succeeded_ = std::numeric_limits<double>::infinity();
};

}  // namespace scfe
