// scfe audit: compares the cost of recourse between groups of rows.
#include <algorithm>
#include <cstdio>

#include "ask/audit.h"
#include "ask/fitting.h"
#include "ask/limits.h"
#include "ask/row_source.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "output/sinks.h"
#include "report/sections.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

Audit audit_file(const Question& question, const std::string& path) {
  Progress progress(path);
  RowSource source(path);
  const auto next = [&](Table& rows, std::size_t most) {
    const bool more = source.read(rows, most);
    if (more) progress.set(rows.first_row - 1);
    return more;
  };
  Audit audit = audit_rows(question, next, Interrupts::token());
  if (Interrupts::asked()) throw Error("interrupted; nothing is written");
  progress.clear();
  if (audit.groups.empty()) {
    (void)question.bundle.encoder.encode(source.first_rows());  // a missing column is the better reason
    throw Error(path, "at least one row", "none");
  }
  return audit;
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
  const Audit audit = audit_file(question, arguments.files.front());
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
