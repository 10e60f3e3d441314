// Runs a list of methods and settings on the rows of a table, and measures their answers, and those of other
// tools, in the same way (scfe/compare.h). Unlike there, answers count as they are written in a table.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "ask/measuring.h"
#include "ask/question.h"
#include "ask/run_line.h"
#include "scfe/compare.h"

namespace scfe::app {

// One row of the table: a question that is asked of every row, or a file of answers by another tool.
struct Contender {
  std::string name;
  std::string command;               // that gives the same answers
  std::optional<Question> question;  // empty: the answers are given
  std::string answers_file = {};
};

struct ComparedRow {
  std::string name, command;
  std::uint64_t seed = 0;
  Report report;
  std::size_t left_out = 0;  // rows that have the target class already, or missing cells
  std::string reason = {};   // why there is nothing to measure; empty: there is
  std::vector<AnswerMetrics> answers = {};
};

struct Comparison {
  std::vector<ComparedRow> rows;
  std::vector<std::string> names;  // of the rows of the table
  Options options;                 // of the question that measures: floor, LOF
  bool mixed = false;  // there are categories, and a mixture of products takes the place of the GMM
};

std::vector<std::string> names_of(const Question& question, const Table& rows);

// The flags that a line of a comparison may have beside the options.
std::vector<Flag> run_flags();
// The runs of the question's own flags: our method, the paper's algorithm, and every method of the catalogue
// that changes the class.
std::vector<RunLine> every_method();
// The runs of --runs and --run; every method if neither they nor --given list any.
std::vector<RunLine> runs_of(const Arguments& arguments);
// The question of each run: its own flags, and those of `common` that it does not give itself. It is asked of
// `fitted`, as it was opened; an option of the fit needs --model and --data in `common`, or its own --fitted.
// `files` are those of the command line: the fitted explainer, unless --model fits one, and the rows. Throws
// Error, naming the run.
std::vector<Contender> contenders_of(const Bundle& fitted, const Arguments& common,
                                     const std::vector<RunLine>& runs, const std::vector<std::string>& files);
// Answers of another tool: NAME=FILE.
Contender given_answers(const std::string& text);

// Batches that are measured already, by the number of the contender and of the batch.
using Batch = std::pair<std::size_t, std::size_t>;
struct MeasuredBatch {
  double seconds = 0;  // of all its rows, also those that are not measured
  std::vector<AnswerMetrics> answers = {};
};
struct ComparisonStore {
  std::function<const MeasuredBatch*(Batch)> find = [](Batch) { return nullptr; };
  std::function<void(Batch, const MeasuredBatch&)> add = [](Batch, const MeasuredBatch&) {};
};

// Throws Error once it is stopped. `table` holds all rows.
Comparison compare_all(const Question& base, const std::vector<Contender>& contenders, const Table& table,
                       const ComparisonStore& store, std::stop_token stop = {});

}  // namespace scfe::app
