// A table of text cells as a CSV file holds it (RFC 4180), read whole or in batches of rows.
//
// Understood: quoted cells with commas, quotes ("") and line breaks inside, LF and CRLF, a UTF-8 byte order
// mark, empty cells, a missing last line break; blank lines are passed over where there are several columns.
// A row with too many or too few cells, a quote that never closes, text after a closing quote, a NUL byte and
// a column named twice are an Error that names the file, the row and the column.
// Rows are counted from 1, the header not among them.
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
  std::string source;  // what errors call it: the path
  std::vector<std::string> columns;
  std::size_t first_row = 1;  // number within the file of the first row here

  std::size_t rows() const { return columns.empty() ? 0 : ends_.size() / columns.size(); }
  std::string_view cell(std::size_t row, std::size_t column) const;
  // Position of a column; Error naming it and the known ones.
  std::size_t column(std::string_view name) const;
  // "rows.csv: row 17, column 'age'" for the row-th row here.
  std::string place(std::size_t row, std::string_view column) const;

  // Cells are added one after another, row by row.
  void add(std::string_view cell);
  void add_row(std::span<const std::string> cells);
  void clear_rows();  // keeps the memory

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  // of each cell within the text
};

// Batch by batch, in memory that does not grow with the file.
class CsvReader {
 public:
  explicit CsvReader(const std::string& path);  // reads the header
  ~CsvReader();
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept;

  const std::vector<std::string>& columns() const;
  // Fills the table with the next rows, at most that many. False, and no rows, at the end of the file.
  bool read(Table& batch, std::size_t max_rows = 4096);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Table read_csv(const std::string& path);

// Appends a line with its LF; a cell is quoted only where it must be.
void append_csv_row(std::string& text, std::span<const std::string> cells);
// Written aside and renamed: the file is there whole or not at all.
void write_csv(const std::string& path, const Table& table);

}  // namespace scfe
