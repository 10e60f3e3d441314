// Answers the rows of a file batch by batch; memory does not grow with the file.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "ask/answer.h"
#include "ask/question.h"
#include "ask/row_source.h"

namespace scfe::app {

// What a run answers to, and who hears of its progress.
struct Run {
  std::stop_token stop = {};  // once it is requested, the rows at work end, and so does the run
  // Called before each batch and after the last: rows of the file read, and those answered.
  std::function<void(std::size_t rows_read, const Tally& tally)> progress = [](std::size_t, const Tally&) {};
  // Called after each batch with the text to print if the process is killed from here on.
  std::function<void(const std::string& note)> would_end = [](const std::string&) {};
};

// Skips rows that are already written to every sink. Once it is stopped it interrupts the sinks and throws
// Error.
Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks, const Run& run);

}  // namespace scfe::app
