// An answer as bytes, and back: what a report that is not done keeps of its rows. Whoever changes what is
// kept raises partial_format (partial_file.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/answer.h"

namespace scfe::cli {

void append_answer(std::string& bytes, Answer answer);
// Takes one off the front. Error naming the source where the bytes end too early.
Answer take_answer(std::string_view& bytes, const std::string& source);

}  // namespace scfe::cli
