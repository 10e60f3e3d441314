#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

namespace scfe::cli {
namespace {

std::size_t lines_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 16);
  std::size_t lines = 0;
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
    lines += static_cast<std::size_t>(std::count(buffer.begin(), buffer.begin() + file.gcount(), '\n'));
  return lines;
}

}  // namespace

Progress::Progress(const std::string& path)
    : on_(::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_(start_) {
  if (on_) total_ = std::max<std::size_t>(lines_of(path), 2) - 1;
}

void Progress::show(std::size_t rows_done) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!on_ || now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  constexpr std::size_t width = 30;
  const std::size_t done = std::min(rows_done, total_), filled = width * done / total_;
  const double speed = static_cast<double>(rows_done) / std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r[%s%s] %zu of %zu rows, %.0f a second\033[K", std::string(filled, '#').c_str(),
               std::string(width - filled, ' ').c_str(), done, total_, speed);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace scfe::cli
