// One answer of the output, and the interface of the writers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scfe/explanation.h"

namespace scfe::app {

struct Answer {
  std::string name;                   // the id of the row, or its number in the file
  std::string group = {};             // the row's value in the column of --by; empty: no --by
  std::size_t row = 0;                // place of the row in its batch
  std::size_t rank = 1;               // among the row's answers; with --path the limit on changes
  bool first = true;                  // true for the first answer of a row
  Explanation explanation;            // describes the cells below, read back and predicted again
  double probability_before = 0;      // of the target class
  double output_before = 0;           // of a regression model
  std::vector<double> factual = {};   // model inputs of the row, missing cells filled
  std::vector<std::size_t> filled;    // the features whose cells were missing, if the policy fills them
  std::vector<std::string> from, to;  // cells of every feature, as they are written
  std::vector<std::size_t> changed;   // the features whose cells differ
  std::uint64_t rows_checksum = 0;    // of all rows of the file up to this one; 0: not known
};

// How many rows are done, how many of them are with and without an answer, and the checksum of their cells.
struct Tally {
  std::size_t rows = 0, answered = 0, without = 0;
  std::uint64_t rows_checksum = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  // The rows that an earlier run, which this one resumes, has written. Empty: the sink cannot be resumed.
  virtual std::optional<Tally> done() const { return std::nullopt; }
  virtual void add(const Answer& answer) = 0;
  // Called after each batch. What was added so far must survive a kill of the process.
  virtual void flush() {}
  // Called after the last row.
  virtual void finish() {}
  // Called after Ctrl-C, or when a sink cannot be written to. Keeps the rows so far, if the sink can be
  // resumed.
  virtual void interrupt() {}
};

}  // namespace scfe::app
