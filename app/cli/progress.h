// A progress bar on stderr, if that is a terminal. A thread of its own draws it, ten times a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace scfe::app {

class Progress {
 public:
  explicit Progress(const std::string& path);  // of the file with the rows
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void set(std::size_t rows_done);
  // Wipes the line, so that something else can be printed; the bar comes back.
  void wipe();
  void clear();

 private:
  void show();

  std::mutex mutex_;
  bool on_;
  bool shown_ = false;
  std::size_t rows_done_ = 0, total_ = 0;  // lines of the file, about as many as rows; 0: not known
  std::chrono::steady_clock::time_point start_, last_row_;
  std::jthread drawing_;
};

}  // namespace scfe::app
