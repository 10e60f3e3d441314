// Rows of a file -> answers, batch by batch, in memory that does not grow with the file.
//
// An answer counts as valid if its cells, read back from their text, make the model say the wished class.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"
#include "cli/row_source.h"

namespace scfe::cli {

class Answering {
 public:
  explicit Answering(const Question& question);
  // Of every row of the table. `time_limit` 0: none.
  std::vector<Answer> operator()(const Table& rows, double time_limit) const;

 private:
  void read_back(const Table& rows, const Encoded& encoded, std::span<const std::size_t> inputs_of,
                 std::vector<Answer>& answers) const;
  std::vector<Answer> grouped(const Table& rows, std::vector<Answer> answers) const;
  std::vector<Answer> with_dropped(const Table& rows, const Encoded& encoded,
                                   std::vector<Answer> answers) const;

  const Question& question_;
};

// Goes on behind the rows that every sink has. Throws Error, the sinks interrupted, where somebody pressed
// Ctrl-C.
Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks);

}  // namespace scfe::cli
