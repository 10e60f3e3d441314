// scfe evaluate: measures the answers of any tool in the same way.
#include <cstdio>

#include "ask/fitting.h"
#include "ask/limits.h"
#include "ask/measuring.h"
#include "cli/verb.h"
#include "output/comparison_table.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string share(std::size_t part, std::size_t whole) {
  if (whole == 0) return "0";
  return std::to_string(part) + " (" + percent(static_cast<double>(part) / static_cast<double>(whole)) + ")";
}

void print_counts(const Measured& rows) {
  const Report& report = rows.report;
  std::printf("rows      %zu\n", rows.asked.size());
  if (rows.several) {
    std::printf("answered  %s of the rows have a valid answer\n",
                share(rows.answered.size(), rows.asked.size()).c_str());
    std::printf("answers   %zu (some rows have several)\n", report.answers);
  }
  std::printf("valid     %s\nfailures  %zu\n",
              share(report.answers - report.failures, report.answers).c_str(), report.failures);
  if (report.below_floor)
    std::printf("below     %zu (valid, but less typical than asked: below the floor)\n", *report.below_floor);
  if (!rows.already.empty())
    std::printf("already   %zu (in the target class as they are; left out)\n", rows.already.size());
  if (rows.dropped > 0)
    std::printf("missing   %zu (rows with missing cells, which have no answer)\n", rows.dropped);
}

std::string lof_name(const Options& options) {
  const Options usual;
  if (options.lof_neighbours == usual.lof_neighbours && options.lof_metric == usual.lof_metric) return "LOF";
  return "LOF (k = " + std::to_string(options.lof_neighbours) + ", " +
         std::string(name_of(options.lof_metric)) + ")";
}

void print_metrics(const Report& report, const Options& options) {
  TextTable table({Align::left, Align::right, Align::right, Align::right});
  table.add({"valid answers", "mean", "median", "95th percentile"});
  const auto row = [&](const char* name, const Summary& s) {
    table.add({name, short_number(s.mean), short_number(s.median), short_number(s.p95)});
  };
  row("l2 (distance)", report.l2);
  row("l1 (distance)", report.l1);
  if (!is_squared(options.distance))
    row((std::string(name_of(options.distance)) + " (distance as asked)").c_str(), report.distance);
  row("l0 (features changed)", report.l0);
  row(lof_name(options).c_str(), report.lof);
  row("log-density, kde", report.log_kde);
  row("log-density, gmm", report.log_gmm);
  row("quantile (as typical as)", report.quantile);
  row("l2 to the nearest training row", report.nearest);
  std::printf("\n%s", table.text().c_str());
}

// The answers as a table of one row, in the form of scfe compare.
Comparison as_row(const Question& question, const Table& asked, const Measured& rows,
                  const std::vector<std::string>& files) {
  const std::size_t left_out = rows.already.size() + rows.dropped;
  return {{{files[1],
            "scfe evaluate " + shell_word(files[0]) + " " + shell_word(files[1]),
            question.bundle.explainer.options().seed,
            rows.report,
            left_out,
            {},
            rows.answers}},
          names_of(question, asked),
          question.options,
          !Diagnostics(question.bundle.explainer).groups().empty()};
}

int run_evaluate(const Arguments& given) {
  Arguments arguments = given;
  const std::vector<std::string> paths = arguments.all("output");
  for (const std::string& path : paths)
    if (table_format_of(path) == TableFormat::picture)
      throw Error("--output", "a table: .txt, .csv, .md or .tex", "'" + path + "'");
  const Question question = ask(arguments, "rows.csv answers.csv");
  const Table asked = read_csv(arguments.files[0]);
  if (asked.rows() == 0) throw Error(asked.source, "at least one row", "none");
  AnswerMeasure measure(question.bundle.explainer, question.options);
  const Measured rows =
      measured(question, read_answers(question, asked, read_csv(arguments.files[1])), measure);
  const Comparison table = as_row(question, asked, rows, arguments.files);
  for (const std::string& path : paths) write_file(path, comparison_text(table, table_format_of(path)));
  if (arguments.has("each")) write_file(arguments.text("each"), each_answer(table));
  print_counts(rows);
  print_metrics(rows.report, question.options);
  return rows.report.failures + rows.dropped == 0 ? every_row_answered : some_rows_without;
}

}  // namespace

Verb evaluate_verb() {
  std::vector<Flag> flags = {
      {"output,o", "FILE",
       "the means and deviations as .txt, .csv, .md or .tex (as scfe compare); can be repeated",
       group::output, true, true},
      each_flag()};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  flags.push_back(spreadsheet_flag("the answers were written with this flag"));
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"evaluate",
          "E.scfe rows.csv answers.csv",
          "Measure the answers of any tool: valid, close, sparse, plausible",
          flags,
          true,
          run_evaluate};
}

}  // namespace scfe::app
