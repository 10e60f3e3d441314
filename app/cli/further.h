// What else is known of an answer, a line each: whether it is proven, how stable it is, what would help.
#pragma once

#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

std::vector<std::string> further_lines(const Question& question, const Answer& answer);
// How far each changed number may go back before the decision turns: "amount=120;duration=3". With --robust.
std::string room_text(const Question& question, const Answer& answer);

}  // namespace scfe::cli
