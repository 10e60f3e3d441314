// Further lines of text about an answer: its proof, its stability, and hints.
#pragma once

#include <string>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"

namespace scfe::app {

// Names the missing cells that were filled, of which there is at least one.
std::string filled_line(const Question& question, const Answer& answer);
std::vector<std::string> further_lines(const Question& question, const Answer& answer);
// True if the room of a change is known: it is a number, and there was time. It is 0 if one step is too far.
bool has_room(const Question& question, const Explanation& e, const FeatureChange& change);
// With --robust: how far each changed number may move back before the class changes, "amount=120;duration=3".
// If only levels change: how far each number may move up or down, "amount+-120", or "any".
std::string room_text(const Question& question, const Answer& answer);

}  // namespace scfe::app
