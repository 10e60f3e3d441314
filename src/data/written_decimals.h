// How a column writes its numbers: 12.50 and 13.00 have two digits behind the point, always, though one or
// none would do. Answers are written likewise.
#pragma once

#include "scfe/schema.h"

namespace scfe {

// Digits behind the point that every number of the column has; empty where they differ, or have none.
std::optional<int> written_decimals(const Table& table, std::size_t column, const Schema& schema);
// For columns of numbers whose schema does not say.
Schema with_written_decimals(Schema schema, const Table& training);

}  // namespace scfe
