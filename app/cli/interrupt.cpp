#include "cli/interrupt.h"

#include <array>
#include <chrono>
#include <csignal>

namespace scfe::cli {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t received = 0;

void note(int signal) {
  received = 1;
  (void)std::signal(signal, SIG_DFL);
}

}  // namespace

Watch::Watch(std::function<void()> every_tick) {
  received = 0;
  for (const int signal : signals)
    if (std::signal(signal, note) == SIG_IGN) (void)std::signal(signal, SIG_IGN);  // as nohup asks for
  thread_ = std::jthread([this, tick = std::move(every_tick)](const std::stop_token& over) {
    while (!over.stop_requested()) {
      if (received != 0) stop_.request_stop();
      tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
}

Watch::~Watch() {
  thread_.request_stop();
  thread_.join();
  for (const int signal : signals)
    if (std::signal(signal, SIG_DFL) == SIG_IGN) (void)std::signal(signal, SIG_IGN);
}

}  // namespace scfe::cli
