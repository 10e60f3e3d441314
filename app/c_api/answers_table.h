// Answers as columns (scfe_answers_stream lists them).
#pragma once

#include "c_api/arrow_out.h"
#include "c_api/handles.h"

namespace scfe::app {

OutColumn answers_table(const scfe_answers& given);

}  // namespace scfe::app
