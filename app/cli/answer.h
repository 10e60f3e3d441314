// One row of the output, and those who write it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scfe/explanation.h"

namespace scfe::cli {

struct Answer {
  std::string name;                   // what the id column says, or the row's number in the file
  std::string group = {};             // what the column of --by says; empty: not asked
  std::size_t row = 0;                // of the batch it came in
  std::size_t rank = 1;               // among the row's answers; of a path the changes it was allowed
  bool first = true;                  // of the row's answers
  Explanation explanation;            // true of the cells below: they were read back and predicted again
  double probability_before = 0;      // of the wished class
  double output_before = 0;           // of a regression model
  std::vector<std::string> from, to;  // cells of every feature, as they are written
  std::vector<std::size_t> changed;   // which of them differ
};

// Rows that are done, and of them those with and without an answer.
struct Tally {
  std::size_t rows = 0, answered = 0, without = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  // Rows that it has already, by a former run that this one resumes; empty: it keeps none.
  virtual std::optional<Tally> done() const { return std::nullopt; }
  virtual void add(const Answer& answer) = 0;
  // A batch is done: what is written by now outlives the process.
  virtual void flush() {}
  // All rows are done.
  virtual void finish() {}
  // Not all rows are done, but those that are shall be kept if they can be.
  virtual void interrupt() {}
};

}  // namespace scfe::cli
