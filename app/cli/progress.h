// A progress bar on stderr, if that is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace scfe::cli {

class Progress {
 public:
  explicit Progress(const std::string& path);  // of the file with the rows
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(std::size_t rows_done);
  void clear();

 private:
  bool on_;
  bool shown_ = false;
  std::size_t total_ = 0;  // lines of the file, about as many as rows; 0: not known
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace scfe::cli
