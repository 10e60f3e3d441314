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
  // `dear`: stability and several answers may take seconds per row.
  explicit BatchSize(bool dear) : rows_(dear ? 4 : 64) {}
  std::size_t rows() const { return rows_; }
  void learn(double seconds) {
    if (seconds < 0.25) rows_ = std::min<std::size_t>(2 * rows_, 4096);
    if (seconds > 1) rows_ = std::max<std::size_t>(rows_ / 2, 4);
  }

 private:
  std::size_t rows_;
};

// The answers of the rows before the first one that was cut short. A list of several answers, or one over
// several classes, does not show whether it is complete.
std::span<const Answer> finished(const Options& options, std::span<const Answer> answers);

}  // namespace scfe::app
