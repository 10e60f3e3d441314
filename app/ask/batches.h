// Rows are answered in batches, so that progress shows and little is lost if the work is interrupted.
#pragma once

#include <algorithm>
#include <span>

#include "ask/answer.h"
#include "scfe/options.h"

namespace scfe::app {

// Batches are small enough that little is lost when the process is killed, and large enough to keep every
// thread busy. An answer does not depend on its batch.
class BatchSize {
 public:
  // `slow_rows`: robust or several answers are asked for, and a row may take seconds.
  explicit BatchSize(bool slow_rows) : rows_(slow_rows ? 4 : 64) {}
  std::size_t rows() const { return rows_; }
  // Aims at half a second. The first batches grow quickly, because small ones leave lanes of a solver empty
  // at their end, and so take more time for each row.
  void learn(double seconds) {
    if (seconds >= 0.25 && seconds <= 1) return;
    const double factor = std::clamp(0.5 / std::max(seconds, 1e-9), 0.5, 8.0);
    rows_ = std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(rows_) * factor), 4, 4096);
  }

 private:
  std::size_t rows_;
};

// The answers of the rows before the first one that was cut short. A list of several answers, or one over
// several classes, does not show whether it is complete.
std::span<const Answer> finished(const Options& options, std::span<const Answer> answers);

}  // namespace scfe::app
