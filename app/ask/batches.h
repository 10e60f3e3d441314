// Rows are answered in batches, so that progress shows and little is lost if the work is interrupted.
#pragma once

#include <chrono>
#include <stop_token>
#include <vector>

#include "ask/answering.h"

namespace scfe::app {

// Answers one batch after another within the question's time limit. An answer does not depend on its batch.
class Batches {
 public:
  // `texts`: as in Answering.
  Batches(const Question& question, bool texts, std::stop_token stop);

  // How many rows the next batch should have: few enough that little is lost when the process is killed, and
  // enough to keep every thread busy.
  std::size_t rows() const { return rows_; }
  // Once the stop is requested, the answers of the rows before the first one that was cut short. A list of
  // several answers, or one over several classes, does not show whether it is complete.
  std::vector<Answer> operator()(const Table& rows, const Encoded& encoded);
  bool stopped() const { return stop_.stop_requested(); }

 private:
  using Clock = std::chrono::steady_clock;

  const Options& options_;
  Answering answering_;
  std::stop_token stop_;
  Clock::time_point start_ = Clock::now();
  std::size_t rows_;
};

}  // namespace scfe::app
