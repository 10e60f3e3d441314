// scfe audit: compares the cost of recourse between groups of rows.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "ask/answering.h"
#include "ask/audit.h"
#include "ask/row_source.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "cli/warn.h"
#include "output/sinks.h"
#include "report/sections.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

Audit audit_rows(const Question& question, const std::string& path) {
  const Answering answering(question);
  const double limit = question.options.time_limit;
  const auto start = std::chrono::steady_clock::now();
  Progress progress(path);
  RowSource source(path);
  Table rows;
  std::map<std::string, AuditGroup> groups;
  std::size_t dropped = 0;
  while (source.read(rows, 1024)) {
    progress.set(rows.first_row - 1);
    const double left =
        limit - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Schema& schema = question.bundle.encoder.schema();
    for (const Answer& answer : answering(rows, limit > 0 ? std::max(left, 1e-6) : 0, Interrupts::token())) {
      dropped += answer.explanation.predicted < 0 ? 1 : 0;
      groups[answer.group].add(schema, answer);
    }
    if (Interrupts::asked()) throw Error("interrupted; nothing is written");
  }
  progress.clear();
  if (groups.empty()) {
    (void)question.bundle.encoder.encode(rows);  // a missing column is the better reason
    throw Error(path, "at least one row", "none");
  }
  if (dropped > 0)
    warn({path + ": " + counted(dropped, "row") + " with missing cells left out (policy: drop)"});
  return audit_of(question.by, groups);
}

int run_audit(const Arguments& given) {
  Arguments arguments = given;
  Question question = ask(arguments, "rows.csv");
  if (!arguments.has("by")) throw Error("--by", "the column whose values are the groups", "nothing");
  question.options.answers = 1;
  question.options.path = question.options.hints = false;
  const std::vector<std::string> paths = output_paths(arguments);
  for (const std::string& path : paths)
    if (format_of(path) == Format::json) throw Error("--output", "a .csv or .html file", "'" + path + "'");
  std::vector<std::unique_ptr<AsideFile>> files;  // committed together, once all are written
  for (const std::string& path : paths) files.push_back(std::make_unique<AsideFile>(path));
  const Audit audit = audit_rows(question, arguments.files.front());
  for (std::size_t i = 0; i < files.size(); ++i)
    files[i]->write(format_of(paths[i]) == Format::csv ? audit_csv(audit, question.spreadsheet_safe)
                                                       : audit_page(question, audit));
  for (const auto& file : files) file->commit();
  std::printf("%s", audit_table(question, audit).c_str());
  for (const auto& [name, group] : audit.groups)
    if (group.distance.size() < group.refused) return some_rows_without;
  return every_row_answered;
}

}  // namespace

Verb audit_verb() {
  std::vector<Flag> flags = {
      {"by", "COLUMN",
       "the column whose values are the groups; more than ten numbers are grouped by quartiles",
       group::asked},
      {"output,o", "FILE", "the comparison as .csv or .html; can be repeated", group::output, true, true},
      spreadsheet_flag("text in CSV that a spreadsheet would run as a formula gets an apostrophe")};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"audit", "E.scfe rows.csv", "Compare groups: who gets an answer, and what it costs", flags,
          true,    run_audit};
}

}  // namespace scfe::app
