// Answers the rows of a table.
//
// An answer counts as valid if the model predicts the target class for its values as they would be written
// and read back: unchanged ones as they are in the table, the others with their column's decimals.
#pragma once

#include <span>
#include <stop_token>

#include "ask/answer.h"
#include "ask/question.h"

namespace scfe::app {

// The features of a row whose cells were missing and filled.
std::vector<std::size_t> filled_in(const Encoded& encoded, std::size_t row);

// What a row is called: its cell in the column `id`, or without one its number in the file.
std::string name_of(const Table& rows, std::size_t row, const std::string& id);

class Answering {
 public:
  // Without `texts` the cells of the answers (Answer::from and to) stay empty until add_texts() fills them.
  explicit Answering(const Question& question, bool texts = true);
  // The answers of every row of the table. `time_limit` 0: no limit. `stop`: as in Explainer::explain.
  std::vector<Answer> operator()(const Table& rows, double time_limit, std::stop_token stop = {}) const;
  // The same for rows that are encoded already.
  std::vector<Answer> operator()(const Table& rows, const Encoded& encoded, double time_limit,
                                 std::stop_token stop) const;

  // Fills from and to. `rows` is the table that was answered.
  void add_texts(const Table& rows, Answer& answer) const;

 private:
  void read_back(const Encoded& encoded, std::span<const std::size_t> inputs_of,
                 std::vector<Answer>& answers) const;
  std::vector<Answer> grouped(const Table& rows, std::vector<Answer> answers) const;
  std::vector<Answer> with_dropped(const Table& rows, const Encoded& encoded,
                                   std::vector<Answer> answers) const;

  const Question& question_;
  bool texts_;
};

}  // namespace scfe::app
