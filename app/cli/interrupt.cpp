#include "cli/interrupt.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>

namespace scfe::cli {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> received = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // so that a signal handler may set it

void note(int /*signal*/) {
  received = true;
  for (const int signal : signals) (void)std::signal(signal, SIG_DFL);
}

}  // namespace

Watch::Watch(std::function<void()> every_tick) {
  received = false;
  for (const int signal : signals) before_.push_back(std::signal(signal, note));
  if (before_.back() == SIG_IGN) (void)std::signal(SIGHUP, SIG_IGN);  // nohup asks for that
  thread_ = std::jthread([this, tick = std::move(every_tick)](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any end;  // wakes the thread when the work is over
    std::unique_lock lock(mutex);
    while (!end.wait_for(lock, over, std::chrono::milliseconds(100), [&] { return over.stop_requested(); })) {
      if (received) stop_.request_stop();
      tick();
    }
  });
}

Watch::~Watch() {
  thread_.request_stop();
  thread_.join();
  for (std::size_t i = 0; i < signals.size(); ++i) (void)std::signal(signals[i], before_[i]);
}

bool Watch::asked() const { return received || stop_.stop_requested(); }

}  // namespace scfe::cli
