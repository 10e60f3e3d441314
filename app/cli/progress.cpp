#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <string>

#include "ask/row_source.h"

namespace scfe::app {
namespace {

// For rows from a pipe, whose total is unknown, it only shows the count.
std::string bar(std::size_t rows_done, std::size_t total) {
  constexpr std::size_t width = 30;
  if (total == 0) return std::to_string(rows_done) + " rows, ";
  const std::size_t done = std::min(rows_done, total), filled = width * done / total;
  return "[" + std::string(filled, '#') + std::string(width - filled, ' ') + "] " + std::to_string(done) +
         " of " + std::to_string(total) + " rows, ";
}

}  // namespace

Progress::Progress(const std::string& path)
    : on_(::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_row_(start_) {
  if (!on_) return;
  total_ = rows_of(path);
  drawing_ = std::jthread([this](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any end;  // wakes the thread when the work is over
    std::unique_lock lock(mutex);
    while (!end.wait_for(lock, over, std::chrono::milliseconds(100), [&] { return over.stop_requested(); }))
      show();
  });
}

void Progress::set(std::size_t rows_done) {
  const std::scoped_lock lock(mutex_);
  rows_done_ = rows_done;
  last_row_ = std::chrono::steady_clock::now();
}

void Progress::show() {
  using Seconds = std::chrono::duration<double>;
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(mutex_);
  if (!on_ || now - start_ < std::chrono::milliseconds(500)) return;
  shown_ = true;
  const double speed = static_cast<double>(rows_done_) / Seconds(now - start_).count(),
               waiting = Seconds(now - last_row_).count();
  std::fprintf(stderr, "\r%s%.0f a second", bar(rows_done_, total_).c_str(), speed);
  if (waiting > 1) std::fprintf(stderr, ", these rows for %.0f s", waiting);
  std::fputs("\033[K", stderr);
}

void Progress::wipe() {
  const std::scoped_lock lock(mutex_);
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void Progress::clear() {
  {
    const std::scoped_lock lock(mutex_);
    on_ = false;
  }
  wipe();
}

}  // namespace scfe::app
