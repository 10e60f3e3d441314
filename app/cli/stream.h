// Answers the rows of a file batch by batch; memory does not grow with the file.
//
// An answer counts as valid if the model predicts the target class for its cells, read back from their text.
#pragma once

#include <span>
#include <stop_token>

#include "cli/answer.h"
#include "cli/question.h"
#include "cli/row_source.h"

namespace scfe::cli {

class Answering {
 public:
  explicit Answering(const Question& question);
  // The answers of every row of the table. `time_limit` 0: no limit. `stop`: as in Explainer::explain.
  std::vector<Answer> operator()(const Table& rows, double time_limit, std::stop_token stop = {}) const;

 private:
  void read_back(const Table& rows, const Encoded& encoded, std::span<const std::size_t> inputs_of,
                 std::vector<Answer>& answers) const;
  std::vector<Answer> grouped(const Table& rows, std::vector<Answer> answers) const;
  std::vector<Answer> with_dropped(const Table& rows, const Encoded& encoded,
                                   std::vector<Answer> answers) const;

  const Question& question_;
};

// Skips rows that are already written to every sink. After Ctrl-C it interrupts the sinks and throws Error.
Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks);

}  // namespace scfe::cli
