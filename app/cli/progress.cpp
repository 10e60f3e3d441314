#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/row_source.h"

namespace scfe::cli {
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
    : on_(::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_(start_) {
  if (on_) total_ = rows_of(path);
}

void Progress::show(std::size_t rows_done) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!on_ || now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  const double speed = static_cast<double>(rows_done) / std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r%s%.0f a second\033[K", bar(rows_done, total_).c_str(), speed);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace scfe::cli
