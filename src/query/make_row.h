// Rows of a table as rows of a question.
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
  std::span<const std::size_t> index;      // which of them
  std::span<const RowLimits> limits = {};  // of each factual; empty: none
};

// Each with its own limits, floor and margin where it has them, else with those of the question.
std::vector<Row> make_rows(const Query& query, const TableRows& rows, std::span<const std::size_t> index);

// What the density needs to know of the factual.
void set_anchor(const Fitted& fitted, Row& row);

}  // namespace scfe
