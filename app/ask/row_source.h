// The rows of a question, read only once, so that a pipe or a process substitution works like a file.
#pragma once

#include <string>

#include "scfe/table.h"

namespace scfe::app {

class RowSource {
 public:
  // Reads the header and the first rows, so that their errors are reported before any output is opened.
  explicit RowSource(const std::string& path);

  const std::string& path() const { return path_; }
  const Table& first_rows() const { return first_; }
  std::string header() const;  // as a line of CSV
  // The next rows, at most that many; false at the end.
  bool read(Table& rows, std::size_t max_rows);

 private:
  std::string path_;
  CsvReader reader_;
  Table first_;
  std::size_t given_ = 0;  // how many of the first rows read() has returned
};

// About how many rows the file has; 0 for a pipe, which cannot be read twice.
std::size_t rows_of(const std::string& path);

}  // namespace scfe::app
