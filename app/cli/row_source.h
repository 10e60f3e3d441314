// The rows that are asked about, read once: a file, a pipe or a process substitution alike.
#pragma once

#include <string>

#include "scfe/table.h"

namespace scfe::cli {

class RowSource {
 public:
  // Reads the header and the first rows: whatever is wrong with them is said before any output is opened.
  explicit RowSource(const std::string& path);

  const std::string& path() const { return path_; }
  const Table& first_rows() const { return first_; }
  // Header and first rows as they were read, to tell one file from another.
  std::string opening() const;
  // The next rows, at most that many; false at the end.
  bool read(Table& rows, std::size_t max_rows);

 private:
  std::string path_;
  CsvReader reader_;
  Table first_;
  std::size_t given_ = 0;  // of the first rows
};

// How many rows lie behind the path, about; 0 where that cannot be known without reading them away.
std::size_t rows_of(const std::string& path);

}  // namespace scfe::cli
