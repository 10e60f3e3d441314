// What was asked, and how an answer meets it, in words that the report, the tables and Python share
// (docs/glossary.md).
#pragma once

#include <string>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"

namespace scfe::app {

// "What would it take for risk to be approved?"; `target` is -1 if rows have different targets.
std::string asked_title(const Question& question, Target target);

// What answers had to satisfy: {"May not change", "age, foreign_worker"}, ... Names and texts are plain text.
struct AskedLine {
  std::string what, value;
};
std::vector<AskedLine> asked_lines(const Question& question);
// The limits on features alone, as sentences; empty if there are none.
std::string limits_text(const Question& question);

// "as typical as 58 % of approved applicants", or what it misses of the floor.
std::string typical_text(const Question& question, const Explanation& e);
// "the other 19 features stay as they are"
std::string unchanged_text(const Question& question, const Answer& answer);
// The text with a capital letter in front.
std::string capital(std::string text);

}  // namespace scfe::app
