#include "scfe/table.h"

#include <algorithm>

#include "data/utf8.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

Error missing_column(const std::string& source, std::string_view name,
                     const std::vector<std::string>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    require_utf8(columns[i], source + ": header, column " + std::to_string(i + 1));
  const std::string column = "column '" + std::string(name) + "'", nearest = nearest_name(name, columns);
  if (columns.size() == 1 && columns[0].find_first_of(";\t|") != std::string::npos)
    return {source, "a " + column + " (cells are separated by commas)", "one column '" + columns[0] + "'"};
  if (nearest.empty()) return {source, "a " + column, "columns " + join(columns, ", ")};
  return Error(source + ": no " + column + ": did you mean '" + nearest + "'?");
}

}  // namespace

std::string_view Table::cell(std::size_t row, std::size_t column) const {
  const std::size_t index = row * columns.size() + column;
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw missing_column(source, name, columns);
  return static_cast<std::size_t>(found - columns.begin());
}

std::string Table::place(std::size_t row, std::string_view column) const {
  return source + ": row " + std::to_string(first_row + row) + ", column '" + std::string(column) + "'";
}

void Table::add(std::string_view cell) {
  text_ += cell;
  ends_.push_back(text_.size());
}

void Table::add_row(std::span<const std::string> cells) {
  if (cells.size() != columns.size())
    throw Error(source + ": row " + std::to_string(first_row + rows()),
                std::to_string(columns.size()) + " cells", std::to_string(cells.size()));
  for (const std::string& cell : cells) add(cell);
}

void Table::clear_rows() {
  text_.clear();
  ends_.clear();
}

Table read_csv(const std::string& path) {
  CsvReader reader(path);
  Table table;
  reader.read(table, static_cast<std::size_t>(-1));
  return table;
}

void append_csv_row(std::string& text, std::span<const std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string& cell = cells[i];
    if (i > 0) text += ',';
    // These cells need quotes: a single empty cell would be a blank line, and some readers trim spaces.
    const bool alone = cells.size() == 1 && cell.empty();
    const bool edges = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
    // A byte order mark that belongs to the first name would be taken for the file's own.
    const bool mark = text.empty() && cell.starts_with("\xEF\xBB\xBF");
    if (!alone && !edges && !mark && cell.find_first_of(",\"\r\n") == std::string::npos) {
      text += cell;
      continue;
    }
    text += '"';
    for (const char c : cell) {
      if (c == '"') text += '"';
      text += c;
    }
    text += '"';
  }
  text += '\n';
}

void write_csv(const std::string& path, const Table& table) {
  constexpr std::size_t piece = 1 << 20;
  AsideFile file(path);
  std::string text;
  append_csv_row(text, table.columns);
  std::vector<std::string> cells(table.columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < cells.size(); ++column) cells[column] = table.cell(row, column);
    append_csv_row(text, cells);
    if (text.size() < piece) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.commit();
}

}  // namespace scfe
