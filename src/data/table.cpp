#include "scfe/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"
#include "scfe/utf8.h"
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

// The shortest text that reads back to the same number; "" for a missing one.
std::string typed_text(double value, TypedColumn::Numbers how) {
  if (std::isnan(value)) return "";
  if (how == TypedColumn::Numbers::booleans) return value == 0 ? "False" : "True";
  if (how == TypedColumn::Numbers::doubles) return number_text(value);
  std::array<char, 64> text{};
  const double size = std::abs(value);
  if (size == 0) return "0";
  const auto format = size >= 1e-9 && size < 1e15 ? std::chars_format::fixed : std::chars_format::general;
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value), format).ptr};
}

}  // namespace

std::size_t Table::rows() const {
  if (!typed_.empty()) return typed_.front().rows();
  return columns.empty() ? 0 : ends_.size() / columns.size();
}

void Table::add_column(std::string name, TypedColumn column) {
  if (!typed_.empty() && column.rows() != rows())
    throw Error(source + ": column '" + name + "'", std::to_string(rows()) + " rows",
                std::to_string(column.rows()));
  columns.push_back(std::move(name));
  typed_.push_back(std::move(column));
  written_.emplace_back();
}

TypedColumn TypedColumn::slice(std::size_t first, std::size_t count) const {
  TypedColumn part{{}, written_as, has_texts, {}, texts, is_category, is_ordered};
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(first + count);
  if (has_texts)
    part.codes.assign(codes.begin() + from, codes.begin() + to);
  else
    part.numbers.assign(numbers.begin() + from, numbers.begin() + to);
  return part;
}

Table Table::slice(std::size_t first, std::size_t count) const {
  Table part;
  part.source = source;
  part.first_row = first_row + first;
  for (std::size_t column = 0; column < typed_.size(); ++column)
    part.add_column(columns[column], typed_[column].slice(first, count));
  if (!typed_.empty()) return part;
  part.columns = columns;
  for (std::size_t row = first; row < first + count; ++row)
    for (std::size_t column = 0; column < columns.size(); ++column) part.add(cell(row, column));
  return part;
}

std::string_view Table::cell(std::size_t row, std::size_t column) const {
  if (!typed_.empty()) {
    const TypedColumn& typed = typed_[column];
    if (typed.has_texts)
      return typed.codes[row] < 0 ? std::string_view()
                                  : (*typed.texts)[static_cast<std::size_t>(typed.codes[row])];
    std::vector<std::string>& texts = written_[column];
    if (texts.empty())
      for (const double value : typed.numbers) texts.push_back(typed_text(value, typed.written_as));
    return texts[row];
  }
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
  if (typed_.empty()) return;
  columns.clear();
  typed_.clear();
  written_.clear();
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
