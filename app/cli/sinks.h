// The output formats.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

// Aligned tables on stdout, for people.
std::unique_ptr<Sink> table_sink(const Question& question);
// The same lines as text.
std::string answer_text(const Question& question, const Answer& answer);

// CSV on stdout.
std::unique_ptr<Sink> csv_stdout(const Question& question);

// The format of an output file, by its extension: .csv, .json (JSON lines), .html.
enum class Format { csv, json, html };
Format format_of(const std::string& path);

// The files of --output. Throws Error if one is given twice or has an unknown extension.
std::vector<std::string> output_paths(const Arguments& arguments);

// Columns of the CSV before the counterfactual: row (or the id column), answer (the rank, or with --path the
// limit on changes), status, changes, changed. After it: proven (if a proof is possible), stability and room
// (with --robust), distance, plausibility and knee (with --path), and `reason` last. A name that a feature
// already has gets the prefix "scfe_".
struct AnswerColumns {
  std::string row, answer, status, changes, changed, proven, stability, room, distance, plausibility, knee,
      reason;
};
AnswerColumns answer_columns(const Schema& schema);

}  // namespace scfe::cli
