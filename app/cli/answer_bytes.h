// An answer as bytes, and back: what a report that is not done keeps of its rows. Whoever changes what is
// kept raises partial_format (partial_file.h).
#pragma once

#include "cli/answer.h"
#include "support/bytes.h"

namespace scfe::cli {

void put_answer(ByteWriter& out, const Answer& answer);
Answer get_answer(ByteReader& in);

}  // namespace scfe::cli
