// A progress bar on stderr, if that is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace scfe::cli {

class Progress {
 public:
  explicit Progress(const std::string& path);  // of the file with the rows
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void set(std::size_t rows_done);
  // Draws it; may be called from another thread.
  void show();
  void clear();

 private:
  std::mutex mutex_;
  bool on_;
  bool shown_ = false;
  std::size_t rows_done_ = 0, total_ = 0;  // lines of the file, about as many as rows; 0: not known
  std::chrono::steady_clock::time_point start_, last_row_;
};

}  // namespace scfe::cli
