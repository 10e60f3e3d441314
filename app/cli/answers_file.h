// Answers that somebody wrote as CSV, matched with the rows they answer: by the column `row` (or the id
// column) if there is one, else by order. Any tool's answers will do; a status column is optional.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/predictor.h"
#include "cli/question.h"

namespace scfe::cli {

struct GivenAnswer {
  std::string name;                           // of the row
  int target = 0;                             // wished class
  int predicted = 0;                          // class of the factual
  std::vector<double> factual;                // model inputs
  RowLimits limits;                           // of this row alone
  std::optional<std::vector<double>> answer;  // model inputs as read from the file; empty: none given
  Prediction prediction;                      // at the answer
  std::string status;                         // as the file says; empty: it does not
  std::optional<std::string> changes;         // likewise

  bool valid(const Options& options) const {
    return answer && prediction.winner == target &&
           prediction.probability[static_cast<std::size_t>(target)] >= options.probability;
  }
};

// Error naming file, row and column where a cell makes no sense, or a row is answered that is not there.
std::vector<GivenAnswer> read_answers(const Question& question, const std::string& rows_path,
                                      const std::string& answers_path);

}  // namespace scfe::cli
