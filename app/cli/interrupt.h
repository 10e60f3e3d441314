// While answers are computed, a thread of its own looks after the terminal and the signals: it shows
// progress, and the first Ctrl-C, SIGTERM or SIGHUP stops the rows at work. A second one ends the process at
// once.
#pragma once

#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace scfe::cli {

class Watch {
 public:
  // `every_tick` is called ten times a second.
  explicit Watch(std::function<void()> every_tick);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  bool asked() const;
  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::vector<void (*)(int)> before_;  // what the signals did
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace scfe::cli
