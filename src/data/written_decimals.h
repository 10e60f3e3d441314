// The number of decimals that all cells of a column have, like two in 12.50 and 13.00. Answers get as many.
#pragma once

#include "scfe/schema.h"

namespace scfe {

// The decimals that every number of the column has; empty if they differ or are 0.
std::optional<int> written_decimals(const Table& table, std::size_t column, const Schema& schema);
// Sets them for numeric columns whose schema does not.
Schema with_written_decimals(Schema schema, const Table& training);

}  // namespace scfe
