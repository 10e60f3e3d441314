// Answers as columns (scfe_answers_stream lists them).
#pragma once

#include "c_api/arrow_out.h"
#include "c_api/handles.h"

namespace scfe::app {

// So many answers from the first one on. `names`: of the columns, separated by commas; null: all.
OutColumn answers_table(const scfe_answers& given, std::size_t first, std::size_t count, const char* names);

}  // namespace scfe::app
