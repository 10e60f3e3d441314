// Converts an answer to few bytes and back, for reports that are resumed and for answers that wait in memory.
// The model's inputs of its row (Answer::factual) are left out. If the bytes change, raise journal_format
// (journal.h).
#pragma once

#include <string>
#include <string_view>

#include "ask/answer.h"

namespace scfe::app {

void append_answer(std::string& bytes, Answer answer);
// Removes one answer from the front of the bytes. Throws Error, naming the source, if they end too early.
Answer take_answer(std::string_view& bytes, const std::string& source);

}  // namespace scfe::app
