#include "ask/measuring.h"

#include <map>

#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe::app {
namespace {

// The measures that depend on one target class.
struct Yardstick {
  Lof lof;
  LogDensity kde, gmm;

  // Takes rows in the work space. With categories, a mixture of products replaces the gmm.
  Yardstick(const Matrix& rows, const std::vector<int>& group, const Options& options)
      : lof(rows, static_cast<std::size_t>(options.lof_neighbours), group, options.lof_metric),
        kde(DensityKind::kde, rows, group),
        gmm(group.empty() ? DensityKind::gmm : DensityKind::mixture, rows, group) {}
};

Matrix one_row(const std::vector<double>& values) {
  Matrix row(1, values.size());
  row.values = values;
  return row;
}

class Measuring {
 public:
  explicit Measuring(const Question& question) : question_(question) {}

  AnswerMetrics operator()(const GivenAnswer& given) {
    AnswerMetrics metrics;
    metrics.valid = given.valid(question_.options);
    if (!metrics.valid) return metrics;
    const Diagnostics diagnostics(question_.bundle.explainer);
    const Matrix to = diagnostics.to_work_space(one_row(*given.answer));
    metrics.change = diagnostics.change(given.factual, *given.answer);
    const Matrix rows = diagnostics.class_rows(given.target);
    if (rows.rows == 0) return metrics;
    const Yardstick& yardstick =
        yardsticks_.try_emplace(given.target, rows, diagnostics.groups(), question_.options).first->second;
    metrics.lof = yardstick.lof(to[0]);
    metrics.log_kde = yardstick.kde(to[0]);
    metrics.log_gmm = yardstick.gmm(to[0]);
    if (diagnostics.has_density(given.target) && question_.options.density != DensityKind::none)
      metrics.quantile = diagnostics.typicality(given.factual, *given.answer, given.target).quantile;
    return metrics;
  }

 private:
  const Question& question_;
  std::map<int, Yardstick> yardsticks_;
};

}  // namespace

Measured measured(const Question& question, const GivenAnswers& answers) {
  if (!answers.strays.empty()) throw Error(answers.strays.front());
  Measuring measure(question);
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
    metrics.push_back(measure(answer));
    if (metrics.back().valid) rows.answered.insert(answer.row);
  }
  rows.report = summarise(metrics);
  return rows;
}

}  // namespace scfe::app
