// Converts an answer to bytes and back, for reports that are resumed. If the bytes change, raise
// partial_format (partial_file.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/answer.h"

namespace scfe::cli {

void append_answer(std::string& bytes, Answer answer);
// Removes one answer from the front of the bytes. Throws Error, naming the source, if they end too early.
Answer take_answer(std::string_view& bytes, const std::string& source);

}  // namespace scfe::cli
