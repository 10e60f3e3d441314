// The forms of the output.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

// Aligned tables on stdout, for people.
std::unique_ptr<Sink> table_sink(const Question& question);
// The same lines, for whoever prints them.
std::string answer_text(const Question& question, const Answer& answer);

// CSV on stdout.
std::unique_ptr<Sink> csv_stdout(const Question& question);

// Where a file goes, by the ending of its name: .csv, .json (JSON lines), .html.
enum class Format { csv, json, html };
Format format_of(const std::string& path);

// Of --output, each once and with an ending that says its form.
std::vector<std::string> output_paths(const Arguments& arguments);

// Columns of the CSV before the counterfactual's: row (or the id column), answer (its rank, where several are
// asked for, or of a path the changes allowed), status, changes, changed. Behind it: proven (where a
// proof is possible), stability and room (with --robust), distance, plausibility and knee (of a path), and
// `reason` last. Where a feature has the name already, "scfe_" is put in front.
struct AnswerColumns {
  std::string row, answer, status, changes, changed, proven, stability, room, distance, plausibility, knee,
      reason;
};
AnswerColumns answer_columns(const Schema& schema);

}  // namespace scfe::cli
