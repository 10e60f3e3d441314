// The column of --by, whose values are the groups of rows.
#pragma once

#include "ask/question.h"

namespace scfe::app {

inline const std::string missing_group = "(missing)";  // of rows without a value

// The column of --by in the rows. Throws Error if there is none (it suggests one), or without a target class.
std::size_t group_column(const Question& question, const Table& rows);

}  // namespace scfe::app
