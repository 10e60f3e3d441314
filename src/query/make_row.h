// Turns rows of a table into rows of a question.
#pragma once

#include <span>
#include <vector>

#include "query/query.h"
#include "query/row.h"
#include "scfe/matrix.h"
#include "scfe/row_limits.h"

namespace scfe {

// Some rows of a table, and the limits of each.
struct TableRows {
  const Matrix& factuals;
  std::span<const std::size_t> index;      // which of the factuals
  std::span<const RowLimits> limits = {};  // of each factual; empty: none
};

// A row's own floor replaces the question's; its own limits only narrow.
std::vector<Row> make_rows(const Query& query, const TableRows& rows, std::span<const std::size_t> index);

// The limits of one row of the table, which are the same for every target class.
Factual limits_of(const Fitted& fitted, const TableRows& rows, std::size_t index);

// Sets what the density precomputes from the factual.
void set_anchor(const Fitted& fitted, Row& row);

}  // namespace scfe
