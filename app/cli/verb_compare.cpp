// scfe compare: runs methods and settings on the same rows, and prints how good their answers are.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "ask/autoencoder.h"
#include "ask/comparing.h"
#include "ask/fitting.h"
#include "ask/limits.h"
#include "cli/interrupt.h"
#include "cli/verb.h"
#include "output/comparison_journal.h"
#include "output/comparison_table.h"
#include "report/front.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

constexpr std::array own_flags = {"run", "runs", "given", "output", "each", "resume", "memory-limit"};

// The flags that every run shares.
Arguments common_of(const Arguments& arguments) {
  Arguments common = arguments;
  for (const char* name : own_flags) common.flags.erase(name);
  return common;
}

std::string file_text(const Comparison& comparison, const std::string& path) {
  const TableFormat format = table_format_of(path);
  return format == TableFormat::picture ? front_picture(comparison) : comparison_text(comparison, format);
}

Comparison compared(const Question& base, const std::vector<Contender>& contenders, const Table& table,
                    ComparisonJournal* journal) {
  const std::stop_token stop = Interrupts::token();
  try {
    return compare_all(base, contenders, table, journal == nullptr ? ComparisonStore{} : journal->store(),
                       stop);
  } catch (const Error&) {
    if (journal == nullptr || !stop.stop_requested()) throw;
    journal->keep();
    throw Error("interrupted; --resume goes on with what is measured");
  }
}

int run_compare(const Arguments& given) {
  Arguments arguments = given;
  const std::vector<std::string> paths = arguments.all("output");
  for (const std::string& path : paths) (void)table_format_of(path);
  if (arguments.has("resume") && paths.empty()) throw Error("--resume", "an --output to go on with", "none");
  const std::vector<RunLine> runs = runs_of(arguments);
  const std::vector<std::string> files = arguments.files;
  const Bundle fitted = open_explainer(arguments, "rows.csv");
  const Arguments common = common_of(arguments);
  const Question base = question_of(fitted, common);
  std::vector<Contender> contenders = contenders_of(fitted, common, runs, files);
  for (const std::string& text : arguments.all("given")) contenders.push_back(given_answers(text));
  const Table table = read_csv(arguments.files.front());
  std::optional<ComparisonJournal> journal;
  if (!paths.empty())
    journal.emplace(paths.front(), comparison_key(base, contenders, table), arguments.has("resume"));
  const Comparison comparison = compared(base, contenders, table, journal ? &*journal : nullptr);
  for (const std::string& path : paths) write_file(path, file_text(comparison, path));
  if (arguments.has("each")) write_file(arguments.text("each"), each_answer(comparison));
  if (journal) journal->discard();
  std::printf("%s", comparison_text(comparison, TableFormat::text).c_str());
  return every_row_answered;
}

}  // namespace

Verb compare_verb() {
  std::vector<Flag> flags = {
      {"run", "'NAME: FLAGS'",
       "a method and its settings, as flags of scfe explain; can be repeated [every method]", group::asked,
       true},
      {"runs", "FILE", "the same, one on each line", group::asked},
      {"given", "NAME=CSV", "answers of another tool, as scfe evaluate reads them; can be repeated",
       group::asked, true},
      {"output,o", "FILE",
       "the table as .txt, .csv, .md or .tex, or LOF, l2 and l0 as a picture, .svg; can be repeated",
       group::output, true, true},
      each_flag(),
      {"resume", "", "go on with what an interrupted run left in FILE.partial", group::output},
      autoencoder_flag()};
  for (const Flag& flag : limit_flags()) flags.push_back(flag);
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"compare", "E.scfe rows.csv", "Compare methods and settings on the same rows", flags,
          true,      run_compare};
}

}  // namespace scfe::app
