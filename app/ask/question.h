// Turns flags into a question: a fitted explainer, options and limits.
#pragma once

#include <vector>

#include "ask/answer.h"
#include "ask/arguments.h"
#include "scfe/bundle.h"

namespace scfe::app {

// What a row is called, singular and plural: "Applicant 11", "34 % of approved applicants".
struct RowNoun {
  std::string one = "Row", many = "rows";
};

struct Question {
  Bundle bundle;  // with the limits of this question
  Options options;
  RowNoun noun = {};
  std::vector<std::string> ranges = {};  // as given by --range; the schema has a range for every feature
  std::string by = {};                   // the column of --by; empty: not given
  bool spreadsheet_safe = false;         // how CSV files are written, and answers read (text/csv_line.h)
  Warn warn = [](const std::vector<std::string>&) {};
};

// Converts a share such as "10%" or "none" to a plain number.
std::string plain_share(const std::string& text);
// Sets the options that have a flag, and takes the others from `base`. A class may be given by name (--target
// good), a share as 10% or none. Throws Error, naming the flag, what was expected and what was given.
Options options_from(const Arguments& arguments, const Options& base, const Schema& schema);
// Without --model the first file is E.scfe, and is removed from the arguments. Throws Error unless the files
// left are as many as in `files` ("rows.csv answers.csv").
Question ask(Arguments& arguments, const std::string& files);
// The explainer alone, as it was fitted; for several questions.
Bundle open_explainer(Arguments& arguments, const std::string& files);
// As ask(), of an explainer that is open already: options and limits come from the flags.
Question question_of(Bundle bundle, const Arguments& arguments);

// --spreadsheet-safe, for verbs that write CSV, or read what was written so.
Flag spreadsheet_flag(std::string_view help);

// True if a row may have several lines in the output, which a column then numbers.
inline bool has_ranks(const Options& options) { return options.answers > 1 || options.path; }
// Throws Error, listing the classes, if the target is not one of them, or is needed but not given.
void check_target(const Question& question, std::size_t classes);

// Names for people: of a class, of a row ("Row 11", or its id), and of the rows of a class.
std::string class_name(const Schema& schema, int target);
std::string row_title(const Question& question, const std::string& name);
// The name of a row, with the number of the answer if it has several.
std::string answer_title(const Question& question, const Answer& answer);
std::string class_rows_name(const Question& question, int target);

}  // namespace scfe::app
