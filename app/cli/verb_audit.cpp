// scfe audit: what recourse costs each group of people.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>

#include "cli/audit.h"
#include "cli/progress.h"
#include "cli/sinks.h"
#include "cli/stream.h"
#include "cli/warn.h"
#include "scfe/error.h"
#include "support/aside_file.h"
#include "support/spelling.h"
#include "support/text.h"

namespace scfe::cli {
namespace {

// A column that holds what another name asks for: its levels say so.
std::string likely_column(const Schema& schema, const std::string& by) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto begins_with = [&](std::string level, const std::string& word) {  // as a whole word
    for (char& c : level) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return level.starts_with(word) && (level.size() == word.size() || !letter(level[word.size()]));
  };
  std::vector<std::string> words = {by};
  if (by == "sex" || by == "gender") words = {"female", "male", "woman", "man"};
  for (const Column& column : schema.columns)
    for (const std::string& level : column.feature.levels)
      if (std::ranges::any_of(words, [&](const std::string& word) { return begins_with(level, word); }))
        return column.feature.name + "' (" + join(column.feature.levels, ", ") + ")";
  return {};
}

std::size_t group_column(const Question& question, const Table& rows, const std::string& by) {
  try {
    return rows.column(by);
  } catch (const Error&) {
    const std::string likely = likely_column(question.bundle.encoder.schema(), by);
    if (likely.empty() || !nearest_name(by, rows.columns).empty()) throw;
    throw Error("--by: no column '" + by + "': did you mean '" + likely + "?");
  }
}

// Answers of one batch, to the group that the row's own cell names.
Audit audit_rows(const Question& question, const std::string& path, const std::string& by) {
  const Answering answering(question);
  const double limit = question.options.time_limit;
  const auto start = std::chrono::steady_clock::now();
  Progress progress(path);
  RowSource source(path);
  Table rows;
  std::map<std::string, AuditGroup> groups;
  std::size_t dropped = 0;
  while (source.read(rows, 1024)) {
    progress.show(rows.first_row - 1);
    const std::size_t column = group_column(question, rows, by);
    const double left =
        limit - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Schema& schema = question.bundle.encoder.schema();
    for (const Answer& answer : answering(rows, limit > 0 ? std::max(left, 1e-6) : 0)) {
      const std::string_view cell = rows.cell(answer.row, column);
      dropped += answer.explanation.predicted < 0 ? 1 : 0;
      groups[schema.is_missing(cell) ? missing_group : std::string(cell)].add(schema, answer);
    }
  }
  progress.clear();
  std::erase_if(groups, [](const auto& group) { return group.second.rows == 0; });
  if (dropped > 0)
    warn({path + ": " + counted(dropped, "row") + " with missing cells left out (policy: drop)"});
  return audit_of(by, groups);
}

int run(const Arguments& given) {
  Arguments arguments = given;
  Question question = ask(arguments, "rows.csv");
  if (!arguments.has("by")) throw Error("--by", "the column whose values are the groups", "nothing");
  if (question.options.target < 0 && question.options.reach.empty())
    throw Error("--target", "the class that people wish for", "nothing");
  question.options.answers = 1;
  question.options.path = question.options.hints = false;
  const std::string by = arguments.text("by");
  const std::vector<std::string> paths = output_paths(arguments);
  for (const std::string& path : paths)
    if (format_of(path) == Format::json) throw Error("--output", "a .csv or .html file", "'" + path + "'");
  std::vector<std::unique_ptr<AsideFile>> files;  // all can be written, or none is
  for (const std::string& path : paths) files.push_back(std::make_unique<AsideFile>(path));
  const Audit audit = audit_rows(question, arguments.files.front(), by);
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
      {"by", "COLUMN", "whose values are the groups; of many numbers the quartiles", group::wished},
      {"output,o", "FILE", "the same as .csv or .html; can be repeated", group::output, true}};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"audit", "E.scfe rows.csv", "Compare the cost of recourse between groups", flags, true, run};
}

}  // namespace scfe::cli
