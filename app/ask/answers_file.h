// Reads answers from a table of any tool, and matches them with their rows: by the column `row` (or the id
// column) if there is one, else by order. If several rows have the same id, the k-th line with it is for the
// k-th of them; if rows have several answers, the column `answer` tells where the next row begins. A status
// column is optional.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/question.h"

namespace scfe::app {

struct GivenAnswer {
  std::string name;                           // of the row
  std::size_t row = 0;                        // which row of the question
  bool has_line = false;                      // the file has a line for it
  int target = 0;                             // target class
  int predicted = 0;                          // class of the factual
  std::vector<double> factual;                // model inputs
  RowLimits limits;                           // of this row alone
  bool blank = true;                          // the line has no values
  std::optional<std::vector<double>> answer;  // model inputs as read from the file; empty: none given
  Prediction prediction;                      // at the answer
  std::string status;                         // from the file; empty: it has none
  std::optional<std::string> changes;         // likewise
  std::optional<std::string> changed;         // likewise: names of features, separated by ;

  // True if nothing has to change. A row of the target class may still need an answer if it is not typical
  // of the class; the status in the file tells.
  bool already() const { return predicted == target && (status.empty() || status == "already"); }
  bool valid(const Options& options) const {
    return answer && prediction.winner == target &&
           prediction.probability[static_cast<std::size_t>(target)] >= options.probability;
  }
};

// The meaning of a status: there is an answer, there is none, or the word is unknown.
enum class Says { answer, none, unknown };
Says meaning_of(const std::string& status);

struct GivenAnswers {
  std::vector<GivenAnswer> all;     // row by row; a row without a line has one entry
  std::vector<std::string> strays;  // lines without a row: "answers.csv: row 4, column 'row': ..."
  bool several = false;             // a row may have more than one
  std::size_t dropped = 0;          // rows with missing cells, which correctly have no answer
};

// Throws Error, naming file, row and column, if a cell cannot be read.
GivenAnswers read_answers(const Question& question, const Table& rows, Table answers);

}  // namespace scfe::app
