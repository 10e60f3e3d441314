// scfe audit: compares the cost of recourse between groups of rows.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/audit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/sinks.h"
#include "cli/stream.h"
#include "cli/warn.h"
#include "report/sections.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"

namespace scfe::cli {
namespace {

Audit audit_rows(const Question& question, const std::string& path) {
  const Answering answering(question);
  const double limit = question.options.time_limit;
  const auto start = std::chrono::steady_clock::now();
  Progress progress(path);
  const Watch watch([&] { progress.show(); });
  RowSource source(path);
  Table rows;
  std::map<std::string, AuditGroup> groups;
  std::size_t dropped = 0;
  while (source.read(rows, 1024)) {
    progress.set(rows.first_row - 1);
    const double left =
        limit - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Schema& schema = question.bundle.encoder.schema();
    for (const Answer& answer : answering(rows, limit > 0 ? std::max(left, 1e-6) : 0, watch.token())) {
      dropped += answer.explanation.predicted < 0 ? 1 : 0;
      groups[answer.group].add(schema, answer);
    }
    if (watch.asked()) throw Error("interrupted; nothing is written");
  }
  progress.clear();
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
    files[i]->write(format_of(paths[i]) == Format::csv ? audit_csv(audit) : audit_page(question, audit));
  for (const auto& file : files) file->commit();
  std::printf("%s", audit_table(audit).c_str());
  for (const auto& [name, group] : audit.groups)
    if (group.l2.size() < group.refused) return some_rows_without;
  return every_row_answered;
}

}  // namespace

Verb audit_verb() {
  std::vector<Flag> flags = {
      {"by", "COLUMN", "whose values are the groups; of many numbers the quartiles", group::asked},
      {"output,o", "FILE", "the same as .csv or .html; can be repeated", group::output, true}};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"audit", "E.scfe rows.csv", "Compare the cost of recourse between groups", flags, true, run_audit};
}

}  // namespace scfe::cli
