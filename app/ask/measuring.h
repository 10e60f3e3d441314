// Measures given answers, of any tool, in the same way.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ask/answers_file.h"
#include "ask/question.h"
#include "scfe/compare.h"

namespace scfe::app {

struct Measured {
  // Rows that need an answer, those among them that have a valid one, and those that need none.
  std::set<std::size_t> asked, answered, already;
  std::size_t dropped = 0;  // rows with missing cells
  bool several = false;     // a row may have several answers
  std::vector<AnswerMetrics> answers;
  Report report;
};
// Throws Error if an answer belongs to no row.
Measured measured(const Question& question, const GivenAnswers& answers, AnswerMeasure& measure);

}  // namespace scfe::app
