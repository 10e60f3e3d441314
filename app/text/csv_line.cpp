#include "text/csv_line.h"

#include <algorithm>
#include <string_view>

#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr std::string_view formula_signs = "=+-@\t\r";

// Whether a sign of formulas comes first, or after nothing but apostrophes.
bool is_like_a_formula(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of('\'');
  return first != std::string_view::npos && formula_signs.find(cell[first]) != std::string_view::npos;
}

std::string_view without_apostrophe(std::string_view cell) {
  return cell.starts_with('\'') && is_like_a_formula(cell) ? cell.substr(1) : cell;
}

}  // namespace

std::string csv_line(std::vector<std::string> cells, bool spreadsheet_safe) {
  if (spreadsheet_safe)
    for (std::string& cell : cells)
      if (is_like_a_formula(cell) && !parse_number(cell)) cell.insert(cell.begin(), '\'');
  std::string text;
  append_csv_row(text, cells);
  return text;
}

Table from_spreadsheet_safe(const Table& table) {
  Table plain;
  plain.source = table.source;
  plain.first_row = table.first_row;
  for (const std::string& name : table.columns) plain.columns.emplace_back(without_apostrophe(name));
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      plain.add(without_apostrophe(table.cell(row, column)));
  return plain;
}

}  // namespace scfe::app
