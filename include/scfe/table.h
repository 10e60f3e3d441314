// A table of text cells from a CSV file (RFC 4180), read as a whole or in batches of rows.
//
// Supported: quoted cells with commas, quotes ("") and line breaks; LF and CRLF; a UTF-8 byte order mark;
// empty cells; a missing last line break. Blank lines are skipped if there are several columns. A row with
// too many or too few cells, an unclosed quote, text after a closing quote, a NUL byte and a duplicate column
// name are errors that name the file, the row and the column. Rows are counted from 1, without the header.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scfe {

class Table {
 public:
  std::string source;  // the path, for error messages
  std::vector<std::string> columns;
  std::size_t first_row = 1;  // number of the first row within the file

  std::size_t rows() const { return columns.empty() ? 0 : ends_.size() / columns.size(); }
  std::string_view cell(std::size_t row, std::size_t column) const;
  // Position of a column. Throws an Error that lists the known names if there is none.
  std::size_t column(std::string_view name) const;
  // "rows.csv: row 17, column 'age'"; `row` is the position in this table.
  std::string place(std::size_t row, std::string_view column) const;

  // Appends a cell; cells are added row by row.
  void add(std::string_view cell);
  void add_row(std::span<const std::string> cells);
  void clear_rows();  // keeps the memory

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  // end of each cell in the text
};

// Reads a file in batches, with memory that does not grow with the file.
class CsvReader {
 public:
  explicit CsvReader(const std::string& path);  // reads the header
  ~CsvReader();
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept;

  const std::vector<std::string>& columns() const;
  // Replaces the rows of `batch` by the next ones. Returns false, without rows, at the end of the file.
  bool read(Table& batch, std::size_t max_rows = 4096);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Table read_csv(const std::string& path);

// Appends a line including LF. Cells are quoted only if necessary.
void append_csv_row(std::string& text, std::span<const std::string> cells);
// Writes to a temporary file and renames it, so that the file is never incomplete.
void write_csv(const std::string& path, const Table& table);

}  // namespace scfe
