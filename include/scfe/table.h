// A table of text cells from a CSV file (RFC 4180), read as a whole or in batches of rows; or a table of
// typed columns, as data frames hold them, whose numbers never become text on their way to the model.
//
// Supported: quoted cells with commas, quotes ("") and line breaks; LF and CRLF; a UTF-8 byte order mark;
// empty cells; a missing last line break. Blank lines are skipped if there are several columns. A row with
// too many or too few cells, an unclosed quote, text after a closing quote, a NUL byte and a duplicate column
// name are errors that name the file, the row and the column. Rows are counted from 1, without the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scfe {

// A column of numbers, or of texts by their codes.
struct TypedColumn {
  enum class Numbers { doubles, floats, booleans };  // how they are written as text, where that is asked for

  std::vector<double> numbers = {};  // NaN: the cell is missing
  Numbers written_as = Numbers::doubles;
  bool has_texts = false;                                      // the members below count, not those above
  std::vector<std::int32_t> codes = {};                        // places in `texts`; -1: the cell is missing
  std::shared_ptr<const std::vector<std::string>> texts = {};  // each once; parts of a column share them
  bool is_category = false;  // `texts` are all its levels, in the order that counts
  bool is_ordered = false;   // and go from lowest to highest

  std::size_t rows() const { return has_texts ? codes.size() : numbers.size(); }
  TypedColumn slice(std::size_t first, std::size_t count) const;
};

class Table {
 public:
  std::string source;  // the path, for error messages
  std::vector<std::string> columns;
  std::size_t first_row = 1;  // number of the first row within the file

  std::size_t rows() const;
  // The text of a cell. Of a number in a typed column it is made when it is asked for the first time: then, a
  // table is not for several threads at once. A missing cell of a typed column is empty.
  std::string_view cell(std::size_t row, std::size_t column) const;
  // The number in a cell of a typed column of numbers, NaN where it is missing. Empty for cells of text.
  std::optional<double> number(std::size_t row, std::size_t column) const {
    if (typed_.empty() || typed_[column].has_texts) return std::nullopt;
    return typed_[column].numbers[row];
  }
  // Null for a table of text cells.
  const TypedColumn* typed(std::size_t column) const { return typed_.empty() ? nullptr : &typed_[column]; }
  // Position of a column. Throws an Error that lists the known names if there is none.
  std::size_t column(std::string_view name) const;
  // "rows.csv: row 17, column 'age'"; `row` is the position in this table.
  std::string place(std::size_t row, std::string_view column) const;

  // Appends a cell; cells are added row by row.
  void add(std::string_view cell);
  void add_row(std::span<const std::string> cells);
  void clear_rows();  // keeps the memory
  // Appends a typed column with its name. A table has either cells or typed columns, all equally long.
  void add_column(std::string name, TypedColumn column);
  // A part of the rows.
  Table slice(std::size_t first, std::size_t count) const;

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  // end of each cell in the text
  std::vector<TypedColumn> typed_;
  mutable std::vector<std::vector<std::string>> written_;  // typed numbers as text, by column
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
