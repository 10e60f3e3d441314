#include "ask/row_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace scfe::app {
namespace {

constexpr std::size_t rows_ahead = 64;

}  // namespace

RowSource::RowSource(const std::string& path) : path_(path), reader_(path) {
  reader_.read(first_, rows_ahead);
}

std::string RowSource::header() const {
  std::string text;
  append_csv_row(text, first_.columns);
  return text;
}

bool RowSource::read(Table& rows, std::size_t max_rows) {
  if (given_ == first_.rows()) return reader_.read(rows, max_rows);
  rows.source = first_.source;
  rows.columns = first_.columns;
  rows.clear_rows();
  rows.first_row = first_.first_row + given_;
  for (const std::size_t end = std::min(first_.rows(), given_ + max_rows); given_ < end; ++given_)
    for (std::size_t column = 0; column < rows.columns.size(); ++column)
      rows.add(first_.cell(given_, column));
  return true;
}

std::size_t rows_of(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 16);
  std::size_t lines = 0;
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
    lines += static_cast<std::size_t>(std::count(buffer.begin(), buffer.begin() + file.gcount(), '\n'));
  return std::max<std::size_t>(lines, 2) - 1;
}

}  // namespace scfe::app
