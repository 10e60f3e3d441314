// Densities of rows with more columns than this keep categories as codes, because a column per level would
// make a category of thousands of levels take gigabytes. With fewer columns the loops over columns are
// faster.
#pragma once

#include "plausibility/groups.h"

namespace scfe {

inline constexpr std::size_t most_level_columns = 512;

inline bool is_coded(const MixedRows& rows) { return rows.groups > 0 && rows.columns > most_level_columns; }

}  // namespace scfe
