// libFuzzer target: tables, and the schema that is inferred from them. A table that was read and is written
// again has to be the same table.
#include "fuzz/fuzz.h"
#include "scfe/encoder.h"
#include "scfe/schema.h"
#include "scfe/table.h"

namespace {

void expect_same_table(const scfe::Table& table) {
  std::string text;
  std::vector<std::string> cells = table.columns;
  scfe::append_csv_row(text, cells);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < cells.size(); ++column) cells[column] = table.cell(row, column);
    scfe::append_csv_row(text, cells);
  }
  const scfe::fuzz::MemoryFile file(text);
  const scfe::Table again = scfe::read_csv(file.path());
  if (again.columns != table.columns || again.rows() != table.rows()) std::abort();
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < cells.size(); ++column)
      if (again.cell(row, column) != table.cell(row, column)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const scfe::fuzz::MemoryFile file(scfe::fuzz::text_of(data, size));
  scfe::fuzz::expect_result_or_error([&] {
    const scfe::Table table = scfe::read_csv(file.path());
    expect_same_table(table);
    scfe::Inference how;
    how.label = table.columns.back();
    how.missing = scfe::Missing::impute;
    const scfe::Encoder encoder(scfe::infer_schema(table, how));
    const scfe::Encoded encoded = encoder.encode(table);
    for (std::size_t i = 0; i < encoded.rows.size(); ++i)
      (void)encoder.decode(encoded.inputs[i], table, encoded.rows[i]);
    (void)encoder.row_limits(table, encoded.rows);
  });
  return 0;
}
