// What else is known of an answer, a line each: whether it is proven, how stable it is, what would help.
#pragma once

#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

std::vector<std::string> further_lines(const Question& question, const Answer& answer);
// Whether the room of a change is known: it is a number, and there was time. It may be 0: a step turns it.
bool has_room(const Question& question, const Explanation& e, const FeatureChange& change);
// How far each changed number may go back before the decision turns: "amount=120;duration=3". With --robust.
// Where levels alone change, how far each number may go either way: "amount+-120", or "any".
std::string room_text(const Question& question, const Answer& answer);

}  // namespace scfe::cli
