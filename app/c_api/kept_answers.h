// Answers that wait in memory until they are asked for.
//
// What an answer shares with its row is not kept twice: its bits are replaced by their difference from those
// of the row, which are zeros where nothing changes, and zeros take no room (output/answer_bytes.h). A part
// of the answers is made whole again from the rows.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"
#include "c_api/arrow_in.h"

namespace scfe::app {

// The rows that were asked: a copy of the caller's, or his own.
class KeptRows {
 public:
  explicit KeptRows(Table copy) : rows_(std::move(copy)) {}
  explicit KeptRows(ArrowRows own) : rows_(std::move(own)) {}
  std::size_t count() const {
    return std::visit([](const auto& rows) { return rows.rows(); }, rows_);
  }
  Table slice(std::size_t first, std::size_t count) const {
    return std::visit([&](const auto& rows) { return rows.slice(first, count); }, rows_);
  }

 private:
  std::variant<Table, ArrowRows> rows_;
};

// Some answers and the rows they belong to. Answer::row counts from the first of these rows, which is
// `first_row` of all.
struct AnswersPart {
  Table rows;
  std::size_t first_row = 0;
  std::vector<Answer> answers;
};

class KeptAnswers {
 public:
  // Answers in the order of their rows, whose places (Answer::row) are those among all rows.
  void add(const Encoder& encoder, std::vector<Answer> answers);
  std::size_t size() const { return size_; }
  AnswersPart part(const Question& question, const KeptRows& rows, std::size_t first,
                   std::size_t count) const;

 private:
  struct Block {
    std::size_t first;  // place of its first answer
    std::string bytes;
    std::vector<std::size_t> marks;  // where every 64th answer begins
  };
  std::vector<Answer> read(std::size_t first, std::size_t count) const;

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace scfe::app
