#include "data/written_decimals.h"

#include "data/number.h"

namespace scfe {

std::optional<int> written_decimals(const Table& table, std::size_t column, const Schema& schema) {
  std::optional<int> all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view cell = table.cell(row, column);
    if (schema.is_missing(cell)) continue;
    const int own = written_decimals_of(cell);
    if (own == 0 || own != all.value_or(own)) return std::nullopt;
    all = own;
  }
  return all;
}

Schema with_written_decimals(Schema schema, const Table& training) {
  for (Column& column : schema.columns)
    if (!column.has_levels() && !column.written_decimals)
      column.written_decimals = written_decimals(training, training.column(column.feature.name), schema);
  return schema;
}

}  // namespace scfe
