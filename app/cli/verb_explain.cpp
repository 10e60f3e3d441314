// scfe explain: finds for each row the smallest plausible change that gives the target class.
#include <unistd.h>

#include <algorithm>

#include "ask/autoencoder.h"
#include "ask/fitting.h"
#include "ask/grouping.h"
#include "ask/limits.h"
#include "ask/stream.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "cli/warn.h"
#include "output/line_format.h"
#include "output/sinks.h"
#include "report/html_report.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

using Outputs = std::vector<std::unique_ptr<Sink>>;

std::unique_ptr<Sink> open_file(const Question& question, const std::string& path, const std::string& key,
                                bool resume) {
  const Format format = format_of(path);
  if (format == Format::html) return html_report(question, path, {key, resume});
  return std::make_unique<LineFile>(
      path, format == Format::csv ? csv_format(question) : json_format(question), key, resume);
}

Outputs open_outputs(const Arguments& arguments, const Question& question, const RowSource& rows) {
  Outputs outputs;
  const std::vector<std::string> paths = output_paths(arguments);
  const bool resume = arguments.has("resume");
  if (resume && paths.empty()) throw Error("--resume", "an --output to go on with", "none");
  std::string further = rows.header();
  if (arguments.has("autoencoder")) further += read_file(arguments.text("autoencoder"));
  const std::string key = paths.empty() ? "" : question_key(question, further);
  for (const std::string& path : paths) outputs.push_back(open_file(question, path, key, resume));
  const bool people = arguments.has("table") || (paths.empty() && ::isatty(STDOUT_FILENO) == 1);
  if (people) outputs.push_back(table_sink(question));
  if (!people && paths.empty()) outputs.push_back(csv_stdout(question));
  return outputs;
}

// --by needs an HTML report, which has a section on groups.
void check_groups(const Arguments& arguments, const Question& question, const RowSource& rows) {
  const std::vector<std::string> paths = output_paths(arguments);
  if (std::ranges::none_of(paths, [](const std::string& path) { return format_of(path) == Format::html; }))
    throw Error("--by", "a report beside it (-o out.html), which compares the groups", "none");
  if (question.options.path) throw Error("--by", "one answer a row", "--path");
  (void)group_column(question, rows.first_rows());
}

// Warns where the method cannot limit the number of changes.
void warn_of_any_number(const Arguments& arguments, const Options& options) {
  if (!arguments.has("max-changes") || limits_changes(options.method)) return;
  warn({"--max-changes has no effect on --method " + std::string(name_of(options.method)) +
        ", which changes as many features as it needs"});
}

int run_explain(const Arguments& given) {
  Arguments arguments = given;
  Question question = ask(arguments, "rows.csv");
  warn_of_any_number(arguments, question.options);
  add_autoencoder(question.bundle, arguments);
  RowSource rows(arguments.files.front());
  if (!question.by.empty()) check_groups(arguments, question, rows);
  const Outputs outputs = open_outputs(arguments, question, rows);
  std::vector<Sink*> sinks;
  for (const auto& sink : outputs) sinks.push_back(sink.get());
  Progress progress(rows.path());
  question.warn = [&](const std::vector<std::string>& lines) {
    progress.wipe();
    warn(lines);
  };
  const Run run{Interrupts::token(), [&](std::size_t rows_read, const Tally&) { progress.set(rows_read); },
                Interrupts::say};
  const Tally tally = answer_all(question, rows, sinks, run);
  return tally.without == 0 ? every_row_answered : some_rows_without;
}

}  // namespace

Verb explain_verb() {
  std::vector<Flag> flags = {
      {"output,o", "FILE", "out.csv, out.json (JSON lines) or out.html; can be repeated", group::output, true,
       true},
      {"by", "COLUMN",
       "the report compares recourse between the groups that its values make (see scfe audit)",
       group::output},
      {"resume", "", "go on with the rows that an interrupted run left in FILE.partial", group::output},
      spreadsheet_flag("text in CSV that a spreadsheet would run as a formula gets an apostrophe"),
      {"table", "", "aligned tables on stdout (as on a terminal without -o)", group::output},
      autoencoder_flag()};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"explain", "E.scfe rows.csv", "Find counterfactuals for rows of a CSV file", flags,
          true,      run_explain};
}

}  // namespace scfe::app
