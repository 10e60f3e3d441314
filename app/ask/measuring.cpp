#include "ask/measuring.h"

#include "scfe/error.h"

namespace scfe::app {

Measured measured(const Question& question, const GivenAnswers& answers, AnswerMeasure& measure) {
  if (!answers.strays.empty()) throw Error(answers.strays.front());
  Measured rows;
  rows.dropped = answers.dropped;
  rows.several = answers.several;
  for (const GivenAnswer& answer : answers.all) {
    if (answer.already()) {
      rows.already.insert(answer.row);
      continue;
    }
    rows.asked.insert(answer.row);
    rows.answers.push_back(answer.valid(question.options)
                               ? measure(answer.factual, *answer.answer, answer.target)
                               : AnswerMetrics{});
    rows.answers.back().row = answer.row;
    if (rows.answers.back().valid) rows.answered.insert(answer.row);
  }
  rows.report = summarise(rows.answers);
  return rows;
}

}  // namespace scfe::app
