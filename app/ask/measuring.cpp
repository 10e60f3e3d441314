#include "ask/measuring.h"

#include "scfe/compare.h"
#include "scfe/error.h"

namespace scfe::app {

Measured measured(const Question& question, const GivenAnswers& answers) {
  if (!answers.strays.empty()) throw Error(answers.strays.front());
  AnswerMeasure measure(question.bundle.explainer, question.options);
  std::vector<AnswerMetrics> metrics;
  Measured rows;
  rows.dropped = answers.dropped;
  rows.several = answers.several;
  for (const GivenAnswer& answer : answers.all) {
    if (answer.already()) {
      rows.already.insert(answer.row);
      continue;
    }
    rows.asked.insert(answer.row);
    metrics.push_back(answer.valid(question.options) ? measure(answer.factual, *answer.answer, answer.target)
                                                     : AnswerMetrics{});
    if (metrics.back().valid) rows.answered.insert(answer.row);
  }
  rows.report = summarise(metrics);
  return rows;
}

}  // namespace scfe::app
