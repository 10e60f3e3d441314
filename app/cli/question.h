// From flags to what is asked: which fitted explainer, which options, which limits.
#pragma once

#include <vector>

#include "cli/answer.h"
#include "cli/verb.h"
#include "scfe/bundle.h"

namespace scfe::cli {

// What a row stands for, one and many: "Applicant 11", "34 % of approved applicants".
struct RowNoun {
  std::string one = "Row", many = "rows";
};

struct Question {
  Bundle bundle;  // with the limits of this question
  Options options;
  RowNoun noun = {};
  std::vector<std::string> ranges = {};  // of --range; the schema has one for every feature
  std::string by = {};                   // column whose values are groups of rows; empty: not asked
};

// --model, --data, --label, --schema ...: a fit on the spot.
std::vector<Flag> fit_flags();
// --missing.
Missing missing_from(const Arguments& arguments);
// --label, --id, --ignore, --above, --missing.
Inference inference_from(const Arguments& arguments, const Table& training);
// --freeze, --only-up, --only-down, --range: limits of this question alone.
std::vector<Flag> limit_flags();

// A share for people, "10%" or "none", as the plain number that programs read.
std::string plain_share(const std::string& text);
// Options by the flags of the catalogue, over `base`. A class may be named (--target good), a share written
// as 10% or none. Error naming flag, expected and given.
Options options_from(const Arguments& arguments, const Options& base, const Schema& schema);
// Without --model the first file is E.scfe; it is taken off the list, and `files` ("rows.csv answers.csv")
// are left. Error if there are others.
Question ask(Arguments& arguments, const std::string& files);
Bundle fit_from(const Arguments& arguments);

// Whether a row has several lines in the output, and what the column that tells them apart says.
inline bool has_ranks(const Options& options) { return options.answers > 1 || options.path; }
// Error naming the classes where the wished one is none of the model's, or must be named and is not.
void check_target(const Question& question, std::size_t classes);

// Name of a class for people; of a row ("Row 11", or by the id column); of a class's rows.
std::string class_name(const Schema& schema, int target);
std::string row_title(const Question& question, const std::string& name);
// The same with what tells the row's answers apart.
std::string answer_title(const Question& question, const Answer& answer);
std::string class_rows_name(const Question& question, int target);

}  // namespace scfe::cli
