// scfe evaluate: measures the answers of any tool in the same way.
#include <cstdio>
#include <map>
#include <set>

#include "cli/answers_file.h"
#include "cli/text_table.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe::cli {
namespace {

constexpr std::size_t lof_neighbours = 20;

// The measures that depend on one target class.
struct Yardstick {
  Lof lof;
  LogDensity kde, gmm;

  // Takes rows in the work space. With categories, a mixture of products replaces the gmm.
  Yardstick(const Matrix& rows, const std::vector<int>& group)
      : lof(rows, lof_neighbours, group),
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
        yardsticks_.try_emplace(given.target, rows, diagnostics.groups()).first->second;
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

// Rows that need an answer, and those among them that have a valid one.
struct RowCounts {
  std::set<std::size_t> asked, answered, already;
  std::size_t dropped = 0;
};

std::string share(std::size_t part, std::size_t whole) {
  const double value = whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
  return std::to_string(part) + " (" + percent(value) + ")";
}

void print_counts(const RowCounts& rows, const Report& report, bool several) {
  std::printf("rows      %zu\n", rows.asked.size());
  if (several) {
    std::printf("answered  %s: rows with a valid answer\n",
                share(rows.answered.size(), rows.asked.size()).c_str());
    std::printf("answers   %zu, some rows have several\n", report.answers);
  }
  std::printf("valid     %s\nfailures  %zu\n",
              share(report.answers - report.failures, report.answers).c_str(), report.failures);
  if (!rows.already.empty())
    std::printf("already   %zu (in the target class as they are; left out)\n", rows.already.size());
  if (rows.dropped > 0)
    std::printf("missing   %zu (rows with missing cells, which have no answer)\n", rows.dropped);
}

void print_metrics(const Report& report) {
  TextTable table({Align::left, Align::right, Align::right, Align::right});
  table.add({"over the valid", "mean", "median", "95 %"});
  const auto row = [&](const char* name, const Summary& s) {
    table.add({name, short_number(s.mean), short_number(s.median), short_number(s.p95)});
  };
  row("l2", report.l2);
  row("l1", report.l1);
  row("l0 (changes)", report.l0);
  row("LOF", report.lof);
  row("log-density, kde", report.log_kde);
  row("log-density, gmm", report.log_gmm);
  row("quantile", report.quantile);
  std::printf("\n%s", table.text().c_str());
}

int run_evaluate(const Arguments& given) {
  Arguments arguments = given;
  const Question question = ask(arguments, "rows.csv answers.csv");
  Measuring measure(question);
  const GivenAnswers answers = read_answers(question, arguments.files[0], arguments.files[1]);
  if (!answers.strays.empty()) throw Error(answers.strays.front());
  std::vector<AnswerMetrics> metrics;
  RowCounts rows;
  rows.dropped = answers.dropped;
  for (const GivenAnswer& answer : answers.all) {
    if (answer.already()) {
      rows.already.insert(answer.row);
      continue;
    }
    rows.asked.insert(answer.row);
    metrics.push_back(measure(answer));
    if (metrics.back().valid) rows.answered.insert(answer.row);
  }
  const Report report = summarise(metrics);
  print_counts(rows, report, answers.several);
  print_metrics(report);
  return report.failures + rows.dropped == 0 ? every_row_answered : some_rows_without;
}

}  // namespace

Verb evaluate_verb() {
  std::vector<Flag> flags = limit_flags();
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"evaluate",  "E.scfe rows.csv answers.csv", "Measure the answers of any tool", flags, true,
          run_evaluate};
}

}  // namespace scfe::cli
