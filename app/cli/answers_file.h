// Answers that somebody wrote as CSV, matched with the rows they answer: by the column `row` (or the id
// column) if there is one, else by order; the k-th line of a name (and `answer`, where rows have several) is
// for the k-th row of that name. Any tool's answers will do; a status column is optional.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/question.h"

namespace scfe::cli {

struct GivenAnswer {
  std::string name;                           // of the row
  std::size_t row = 0;                        // which one of those asked about
  bool has_line = false;                      // the file speaks of it
  int target = 0;                             // wished class
  int predicted = 0;                          // class of the factual
  std::vector<double> factual;                // model inputs
  RowLimits limits;                           // of this row alone
  bool blank = true;                          // its cells are empty
  std::optional<std::vector<double>> answer;  // model inputs as read from the file; empty: none given
  Prediction prediction;                      // at the answer
  std::string status;                         // as the file says; empty: it does not
  std::optional<std::string> changes;         // likewise
  std::optional<std::string> changed;         // likewise: names of features with ; between them

  // Nothing to change. A row of the wished class may still be asked about, where it is not typical of it:
  // whoever wrote the file says so.
  bool already() const { return predicted == target && (status.empty() || status == "already"); }
  bool valid(const Options& options) const {
    return answer && prediction.winner == target &&
           prediction.probability[static_cast<std::size_t>(target)] >= options.probability;
  }
};

// What a status word says: that there is an answer, that there is none, or nothing known.
enum class Says { answer, none, unknown };
Says meaning_of(const std::string& status);

struct GivenAnswers {
  std::vector<GivenAnswer> all;     // row by row; a row without a line has one entry
  std::vector<std::string> strays;  // lines for no row: "answers.csv: row 4, column 'row': ..."
  bool several = false;             // a row may have more than one
  std::size_t dropped = 0;          // rows with missing cells, rightly without an answer
};

// Error naming file, row and column where a cell makes no sense.
GivenAnswers read_answers(const Question& question, const std::string& rows_path,
                          const std::string& answers_path);

}  // namespace scfe::cli
